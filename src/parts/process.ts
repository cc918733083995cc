import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { MIN_SILENCE_MS } from '@lib/messaging/nats-options';
import { connectNats } from '@lib/messaging/nats-transport';
import type { Transport } from '@lib/messaging/transport';
import { ADAPTERS } from '@lib/providers/registry';
import type { Env } from '@lib/settings/env';
import { leaseTimes } from '@lib/settings/lease-times';
import { readProvidersFile, type ProvidersFile } from '@lib/settings/providers-file';
import { readBuild } from '../build';
import type { Drainable } from '../telemetry/drain-route';
import { createMetrics, type Metrics } from '../telemetry/metrics';
import { ObservedTransport } from '../telemetry/observed-transport';
import type { Tracing } from '../telemetry/tracing';
import { Readiness } from '../api/health';
import type { TakeWork } from '../dispatch/dispatch';
import { isEverything, needsNats, partyOf, type Role } from '../roles';
import type { Closing } from './closing';
import type { Intakes } from './intakes';

/** What a process is started with. */
export interface Start {
  env: Env;
  roles: ReadonlySet<Role>;
  logger: Logger;
  /** The parts that take in work: all are stopped together, before anything is closed. */
  intakes: Intakes;
  closing: Closing;
  /** Aborts when the process is told to stop while it still starts. */
  stopping?: AbortSignal | undefined;
}

/** What the roles of one process share. */
export interface Process extends Start {
  transport: Transport;
  health: Readiness;
  /** Null without ADMIN_PORT, since nobody could read them. */
  metrics: Metrics | null;
  /** Null without OTEL_EXPORTER_OTLP_ENDPOINT: nothing is traced. */
  tracing: Tracing | null;
  /** The identity of this process in the events that it records. */
  identity: ProcessIdentity;
  /** Handlers of this process that take work from its own commits at once, without the queue. */
  takers: TakeWork[];
  /** Parts that an operator may stop and resume while the process runs. */
  drainable: Drainable[];
}

export async function openProcess(start: Start): Promise<Process> {
  const identity = { instance: randomUUID(), build: readBuild() };
  start.logger.info({ reason: 'process', ...identity, host: hostname(), roles: [...start.roles] }, 'events name this process so');
  const metrics = start.env.ADMIN_PORT === undefined ? null : createMetrics({ roles: [...start.roles].join(), build: identity.build });
  const tracing = await openTracing(start, identity, metrics);
  const inner = await openTransport(start);
  const transport = tracing || metrics ? new ObservedTransport(inner, { tracing, metrics }) : inner;
  start.closing.deferBriefly(() => transport.close());
  const health = new Readiness(start.logger);
  // An api must answer even if NATS is down, because its routes work without it.
  if (needsNats(start.roles) && !start.roles.has('api')) health.add({ name: 'nats', check: async () => requireConnection(transport) });
  return { ...start, transport, health, metrics, tracing, identity, takers: [], drainable: [] };
}

/** Loads the span exporter only if spans are wanted. */
async function openTracing(start: Start, identity: ProcessIdentity, metrics: Metrics | null): Promise<Tracing | null> {
  const { env, roles, logger, closing } = start;
  if (!env.traces) return null;
  const { openTracing: open } = await import('../telemetry/open-tracing.ts');
  const count = (outcome: string, spans: number): void => metrics?.spans.inc({ outcome }, spans);
  const { tracing, close } = open({ settings: env.traces, roles: [...roles].join(), identity, logger, count });
  closing.deferBriefly(() => close());
  return tracing;
}

/** Only a process that both plans and works may let its keys decide who serves a provider. */
export function providersFile({ env, roles }: Start): ProvidersFile {
  return readProvidersFile(env.PROVIDERS_FILE, ADAPTERS, isEverything(roles) ? env.providerKeys : null);
}

async function openTransport({ env, roles, logger }: Start): Promise<Transport> {
  if (env.NATS_URL) {
    const warn = (fields: object, message: string) => logger.warn(fields, message);
    const { brokerSilenceMs: silenceMs } = leaseTimes(env);
    if (silenceMs < MIN_SILENCE_MS)
      warn(
        { reason: 'lease_short', leaseMs: env.LEASE_MS, silenceMs, noticedMs: MIN_SILENCE_MS },
        'LEASE_MS is so short that attempts are lost when the connection to NATS dies in silence: make it longer',
      );
    const party = partyOf(roles, env.WORKER_PROVIDERS);
    const keepsStream = roles.has('saga');
    return connectNats({
      url: env.NATS_URL,
      login: env.natsLogin,
      prefix: env.NATS_PREFIX,
      name: party,
      party,
      keepsStream,
      streamReplicas: env.NATS_REPLICAS,
      silenceMs,
      logger: { warn },
    });
  }
  if (!isEverything(roles)) throw new Error('NATS_URL is not set: roles that run apart speak over NATS; only role all does without');
  return createMemoryTransport();
}

function requireConnection(transport: Transport): void {
  const trouble = transport.trouble();
  if (trouble) throw new Error(trouble);
}
