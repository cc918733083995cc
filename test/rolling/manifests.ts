import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { Role } from '../../src/roles';

/** How a pod ends, in milliseconds. */
export interface Ending {
  preStopMs: number;
  drainMs: number;
  graceMs: number;
}

interface Container {
  env: { name: string; value?: string }[];
  lifecycle: { preStop: { sleep: { seconds: number } } };
  readinessProbe: { periodSeconds: number; failureThreshold: number };
}
interface Deployment {
  spec: { template: { spec: { terminationGracePeriodSeconds: number; containers: [Container] } } };
}

const K8S = resolve(__dirname, '../../k8s');

/** As k8s/base says for a role. */
export function endingOf(role: Role): Ending {
  const [deployment] = parseAllDocuments(readFileSync(`${K8S}/base/${role}.yaml`, 'utf8')).map((document) => document.toJS() as Deployment);
  const { terminationGracePeriodSeconds, containers } = deployment?.spec.template.spec as Deployment['spec']['template']['spec'];
  const [{ env, lifecycle }] = containers;
  return {
    preStopMs: lifecycle.preStop.sleep.seconds * 1000,
    drainMs: Number(env.find(({ name }) => name === 'DRAIN_MS')?.value),
    graceMs: terminationGracePeriodSeconds * 1000,
  };
}

/** How somebody learns whether a process is ready. */
export interface Probe {
  everyMs: number;
  /** So many questions in a row have to fail. */
  failures: number;
}

export function readinessProbe(): Probe {
  const { spec } = parse(readFileSync(`${K8S}/components/every-role/role.yaml`, 'utf8')) as Deployment;
  const { periodSeconds, failureThreshold } = spec.template.spec.containers[0].readinessProbe;
  return { everyMs: periodSeconds * 1000, failures: failureThreshold };
}
