import type { DynamicModule, Provider } from '@nestjs/common';
import { resolveProvider } from '@lib/settings/providers-file';
import { endedKeys } from '@lib/store/access/ended-keys';
import { KeyUse } from '@lib/store/access/key-use';
import { createKeyVerifier, type TellRefused, type VerifyKey } from '@lib/store/access/verify-key';
import { LimitReads } from '@lib/store/limits/limit-reads';
import { createFindGrown } from '@lib/store/log/grown-logs';
import { createReadTrail } from '@lib/store/log/read-trail';
import type { Store } from '@lib/store/store';
import { Reader } from '@lib/store/views/reader';
import { Logins } from '../access/logins';
import { RateLimits } from '../access/rate-limits';
import { SpendingWarnings } from '../access/spending-warnings';
import { SharedBuckets } from '../access/shared-buckets';
import { ApiModule } from '../api/api.module';
import type { Departure } from '../api/departure';
import { RESOLVE_PROVIDER } from '../api/body.pipe';
import { Peers } from '../api/peers';
import { LogFollowers } from '../audit/log-followers';
import { recordReads, type RecordRead } from '../audit/record-reads';
import { KEEPS_LOG } from '../audit/tokens';
import { JobChanges } from '../live/job-changes';
import { PLAN_SETTINGS, STORE } from '../api/tokens';
import { ADDRESS_RULES, addressRules } from '../webhooks/address-rules';
import type { Data } from './data';
import { planSettings } from './plan-settings';
import { providersFile, type Process } from './process';

const REFUSED_KEYS: Record<Parameters<TellRefused>[1], string> = {
  changed:
    'a key is refused whose row was changed by somebody who does not have the pepper: compare with `research views verify`, and revoke it',
  unsealed: 'a key is refused whose row was never sealed, as an earlier build makes them: make it anew with this one',
};
interface Api {
  module: DynamicModule;
  logins: Logins;
  rateLimits: RateLimits;
  recordRead: RecordRead;
}

/** Verifies API keys, and records when a key was used. */
function keyVerifier(process: Process, store: Store, pepper: string): VerifyKey {
  const { metrics, logger } = process;
  const tellRefused: TellRefused = (keyId, state) => {
    metrics?.alerts.inc({ reason: `key_${state}` });
    logger.error({ reason: `key_${state}`, alert: true, of: keyId }, REFUSED_KEYS[state]);
  };
  const use = new KeyUse(store.pool, (error) => logger.warn({ reason: 'key_use_not_written', err: error }));
  process.closing.deferBriefly(() => use.stop());
  return createKeyVerifier({ pool: store.pool, pepper }, tellRefused, (keyId) => use.note(keyId));
}

/** What wakes clients that wait for jobs, and clients that follow the log. */
function openWaiting({ transport, logger, intakes, metrics }: Process, store: Store, departure: Departure): Provider[] {
  const measure = metrics ? (kind: string, change: number) => metrics.waitingClients.inc({ kind }, change) : undefined;
  // Waiting needs the same scope as reading.
  const findEndedReaders = (keyIds: string[]) => endedKeys(store.pool, keyIds, 'threads:read');
  const changes = new JobChanges({ transport, findChanged: store.findChanged, findEnded: findEndedReaders, logger, measure });
  const findEndedAuditors = (keyIds: string[]) => endedKeys(store.pool, keyIds, 'audit:read');
  const followers = new LogFollowers({ findGrown: createFindGrown(store.pool), findEnded: findEndedAuditors, logger });
  for (const [name, waiting] of Object.entries({ waiting: changes, following: followers }))
    intakes.add(name, async (withinMs) => {
      // First let the load balancer notice: clients told to come back must reach another api.
      await departure.untilNoticed(withinMs);
      await waiting.stop();
    });
  return [
    { provide: JobChanges, useValue: changes },
    { provide: LogFollowers, useValue: followers },
  ];
}

/** The api's routes on the store, with their access checks. */
export async function openApi(process: Process, { store, pepper }: Data, departure: Departure): Promise<Api> {
  const file = providersFile(process);
  const { transport, logger, health } = process;
  health.add(departure.check);
  const peers = new Peers(transport);
  await peers.listen();
  process.closing.deferBriefly(() => peers.stop());
  health.compareWith(peers);
  const parts: Provider[] = [
    ...openWaiting(process, store, departure),
    { provide: STORE, useValue: store },
    { provide: Reader, useValue: store.views },
    { provide: PLAN_SETTINGS, useValue: planSettings(process.env, process.identity, file) },
    { provide: KEEPS_LOG, useValue: process.env.CHECKPOINT_MS > 0 },
    { provide: ADDRESS_RULES, useValue: addressRules(process.env) },
    { provide: RESOLVE_PROVIDER, useValue: (name: string) => resolveProvider(file, name) ?? name },
  ];
  const verifyKey = keyVerifier(process, store, pepper);
  const { TENANT_LIMITS: tenant, KEY_LIMITS: key, LOGIN_FAILURES_PER_MINUTE: failuresPerMinute } = process.env;
  const limits = new LimitReads(store.pool, { tenant, key });
  const buckets = new SharedBuckets(transport);
  await buckets.listen();
  process.closing.deferBriefly(() => buckets.stop());
  return {
    module: ApiModule.register(parts, process.health),
    logins: new Logins(verifyKey, failuresPerMinute),
    rateLimits: new RateLimits(limits, buckets, new SpendingWarnings(store, logger)),
    recordRead: recordReads(createReadTrail(store.pool), process.env.BASE_PATH),
  };
}
