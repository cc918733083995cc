import { destinationFault } from '../../src/webhooks/webhook-url';
import type { KubernetesObject } from './kubectl';
import {
  COMPONENT,
  listensOn,
  matches,
  OF_SERVICE,
  workloads,
  type NetworkRule,
  type Policy,
  type Selector,
  type Workload,
} from './manifests';

const WORKER = { [OF_SERVICE]: 'research-threads', [COMPONENT]: 'worker' };
const WEBHOOKS = { [OF_SERVICE]: 'research-threads', [COMPONENT]: 'webhooks' };

function networkPolicies(objects: readonly KubernetesObject[]) {
  return objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ metadata: { name }, spec }) => {
      const { podSelector, policyTypes, ingress, egress } = spec as {
        podSelector: Selector;
        policyTypes: string[];
        ingress?: NetworkRule[];
        egress?: NetworkRule[];
      };
      return { name, selector: podSelector, types: policyTypes, ingress: ingress ?? [], egress: egress ?? [] };
    });
}

/** As `destinationFault` lets a webhook's URL name them. */
const URL_PORTS = Array.from({ length: 65_536 }, (_, port) => port).filter(
  (port) => destinationFault(new URL(`https://example.com:${port}/`), { loopback: false }) === null,
);

/** Who may talk to whom. */
export const POLICIES_OF_NETWORK: Readonly<Record<string, Policy>> = {
  'opens no port that nobody listens on': (objects) =>
    networkPolicies(objects).flatMap(({ name, selector, ingress, egress }) => {
      const pods = workloads(objects);
      const here = pods.filter(({ labels }) => matches(selector, labels));
      const unheard = (rules: NetworkRule[], listeners: (rule: NetworkRule) => Workload[]) =>
        rules.flatMap((rule) =>
          (rule.ports ?? [])
            .filter(({ port }) => listeners(rule).length > 0 && !listeners(rule).every((workload) => listensOn(workload, port)))
            .map(({ port }) => `NetworkPolicy ${name}: nobody listens on ${port}`),
        );
      const there = ({ to = [] }: NetworkRule) =>
        pods.filter(({ labels }) =>
          to.some(({ podSelector, namespaceSelector }) => podSelector && !namespaceSelector && matches(podSelector, labels)),
        );
      return [...unheard(ingress, () => here), ...unheard(egress, there)];
    }),
  'denies by default': (objects) => {
    const closed = networkPolicies(objects).some(
      ({ selector, ingress, egress, types }) =>
        Object.keys(selector).length === 0 && ingress.length + egress.length === 0 && types.includes('Ingress') && types.includes('Egress'),
    );
    return closed ? [] : ['no NetworkPolicy denies by default'];
  },
  'lets no worker reach the database': (objects) =>
    networkPolicies(objects)
      .filter(
        ({ selector, egress }) => matches(selector, WORKER) && egress.some(({ ports = [] }) => ports.some(({ port }) => port === 5432)),
      )
      .map(({ name }) => `NetworkPolicy ${name} lets workers reach the database`),
  'lets webhooks out to each port that their URLs may name, and to the same addresses, or nowhere': (objects) => {
    const outside = networkPolicies(objects)
      .filter(({ selector }) => matches(selector, WEBHOOKS))
      .flatMap(({ egress }) => egress)
      .filter(({ to = [] }) => to.some(({ ipBlock }) => ipBlock));
    const ports = outside.flatMap((rule) => (rule.ports ?? []).map(({ port }) => Number(port))).sort((one, other) => one - other);
    const isOfUrls = [[], URL_PORTS].some((wanted) => wanted.join() === ports.join());
    const areSame = new Set(outside.map(({ to }) => JSON.stringify(to))).size <= 1;
    return isOfUrls && areSame
      ? []
      : [`webhooks are let out to ports ${ports.join(', ')}, not to ${URL_PORTS.join(', ')} of the same addresses`];
  },
};
