import { readTraceIdsOfEvents } from '@lib/store/views/trace-ids';
import { traceDeliveries } from '../telemetry/delivery-spans';
import { addressRules } from '../webhooks/address-rules';
import { Deliverer, DELIVERY_SETTINGS } from '../webhooks/deliverer';
import { Sender } from '../webhooks/sender';
import type { Data } from './data';
import type { Process } from './process';

/** From the look-up of a webhook's name to the head of its answer. */
const ATTEMPT_MS = 15_000;

export function startWebhooks({ env, logger, intakes, metrics, tracing }: Process, { store }: Data): void {
  const sender = new Sender({ rules: addressRules(env), timeoutMs: ATTEMPT_MS });
  const trace = tracing && traceDeliveries(tracing, (eventIds) => readTraceIdsOfEvents(store.pool, eventIds));
  const deliverer = new Deliverer({ store, sender, settings: { ...DELIVERY_SETTINGS, lookMs: env.SWEEP_MS }, logger, metrics, trace });
  deliverer.start();
  intakes.add('webhooks', (withinMs) => deliverer.stop(withinMs));
}
