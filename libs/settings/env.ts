import { resolve } from 'node:path';

import { IsIn, IsOptional, Matches } from 'class-validator';

import { DAY_MS, MINUTE_MS } from '@lib/domain/durations';
import type { Limits } from '@lib/domain/limits';
import type { NatsLogin } from '@lib/domain/nats-login';
import { PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';

import type { WitnessSetting } from './checkpoint-settings';
import { milliseconds } from './milliseconds';
import type { ProviderKeys } from './provider-keys';
import type { TraceSettings } from './trace-settings';
import { wholeNumber } from '@lib/validation/whole-number';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const WEBHOOK_LOOPBACKS = ['refused', 'allowed'] as const;
const BALANCE_MODES = ['off', 'required'] as const;

/** The settings from the environment, under the names of their variables. Empty means unset; unknown variables are ignored. */
export class Env {
  /** TCP port of the HTTP server; 0 lets the system choose. */
  @wholeNumber(0, 65_535)
  PORT = 3000;

  /** TCP port for metrics, health and the log level, meant only for the platform; unset: not served. 0 lets the system choose. */
  @IsOptional()
  @wholeNumber(0, 65_535)
  ADMIN_PORT: number | undefined = undefined;

  /** Tenants whose jobs and cents have metrics of their own; none by default. */
  METRICS_TENANTS: readonly string[] = [];

  /** Address that the HTTP server listens on. */
  @Matches(/^[A-Za-z0-9.:_-]+$/, { message: 'must be a host name or an IP address' })
  HOST = '127.0.0.1';

  /** Path in front of `/v1`: empty, or with a leading and without a trailing slash. */
  @Matches(/^(\/[A-Za-z0-9._~-]+)*$/, { message: 'must be a path such as /research, of letters, digits and . _ ~ -' })
  BASE_PATH = '';

  /** Origins of web pages that may call the service, such as `https://app.example.org`; none by default. */
  CORS_ORIGINS: readonly string[] = [];

  /** Folder of the embedded defaults, such as the database and the keys. Absolute. */
  DATA_DIR = resolve('.data');

  /** Folder for files that can be rebuilt, such as the indexes of documents; unset: `cache` in `DATA_DIR`. Absolute. */
  CACHE_DIR: string | undefined = undefined;

  /** Folder that records every deletion outside the database, so that each start can repeat them after a restore from a backup. Absolute. */
  DELETION_LIST: string | undefined = undefined;

  /** PostgreSQL to use instead of the embedded one; missing parts are filled in from libpq's variables. Secret. */
  DATABASE_URL: string | undefined = undefined;

  /** NATS servers to use instead of the memory transport, separated by commas. Secret. */
  NATS_URL: string | undefined = undefined;

  /** From NATS_USER, NATS_PASSWORD, NATS_TOKEN and so on; see `NatsLogin`. Secret. */
  natsLogin: NatsLogin = {};

  /** First token of every subject and prefix of the stream's name, so that deployments can share a server; may be empty. */
  @Matches(/^[A-Za-z0-9_-]{0,64}$/, { message: 'must be one subject token: at most 64 letters, digits, _ or -' })
  NATS_PREFIX = '';

  /** Replicas of the work stream in a NATS cluster; takes effect when the saga creates the stream. */
  @wholeNumber(1, 5)
  NATS_REPLICAS = 1;

  /** Folder of documents for the corpus adapter; unset: the documentation inside the installed packages. Absolute. */
  CORPUS_DIR: string | undefined = undefined;

  /** Providers file to use instead of the shipped `providers.yaml`. Absolute. */
  PROVIDERS_FILE: string | undefined = undefined;

  /** The key-encryption key: 32 bytes, given as base64. Without it, all content is lost. Secret. */
  MASTER_KEY: Buffer | undefined = undefined;

  /** Several master keys instead of one, newest first: new content is sealed with the first, and all of them can open content. Secret. */
  MASTER_KEYS: readonly Buffer[] = [];

  /** Key of the HMAC under which API keys are stored. Secret. */
  API_KEY_PEPPER: string | undefined = undefined;

  /** API key to create at start unless it exists. Secret. */
  BOOTSTRAP_API_KEY: string | undefined = undefined;

  /** Whether webhooks may be delivered to this machine itself, over plain HTTP and on any port; for tests and trials. */
  @IsIn(WEBHOOK_LOOPBACKS, { message: `must be one of ${WEBHOOK_LOOPBACKS.join(', ')}` })
  WEBHOOK_LOOPBACK: (typeof WEBHOOK_LOOPBACKS)[number] = 'refused';

  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  /** How long an attempt belongs to a worker that sends no heartbeat. */
  @milliseconds
  LEASE_MS = 30_000;

  @milliseconds
  HEARTBEAT_MS = 10_000;

  /** Delay after the writer's own dispatch until work is dispatched again for the first time. */
  @milliseconds
  REDISPATCH_FIRST_MS = 10_000;

  @milliseconds
  REDISPATCH_MS = 30_000;

  /** Pause between two looks at the agenda, at waiting steps and at webhook deliveries. */
  @milliseconds
  SWEEP_MS = 1000;

  /** A job fails if none of its steps has started by then, or if nobody has begun its synthesis. */
  @milliseconds
  QUEUE_DEADLINE_MS = DAY_MS;

  /** Time from a job's first started step to its deadline, by mode. */
  @milliseconds
  FAST_DEADLINE_MS = 2 * MINUTE_MS;

  @milliseconds
  METHODICAL_DEADLINE_MS = 20 * MINUTE_MS;

  /** Time for a synthesis, counted from its second try. */
  @milliseconds
  SYNTHESIS_DEADLINE_MS = 5 * MINUTE_MS;

  /** How long a stopping process may finish what it has begun. */
  @milliseconds
  DRAIN_MS = 10_000;

  /** Steps that a worker runs at a time for each provider without a `concurrency` in the providers file. */
  @wholeNumber(1, 10_000)
  WORKER_SLOTS = 64;

  /** Background runs that a worker follows in addition to WORKER_SLOTS, for each provider without a `concurrency`. */
  @wholeNumber(0, 100_000)
  WORKER_BACKGROUND_RUNS = 10_000;

  /** The providers that this worker serves. */
  WORKER_PROVIDERS: readonly ProviderId[] = PROVIDERS;

  /** How long a process caches opened content and threads' keys. */
  @milliseconds
  REMEMBER_CONTENT_MS = 5 * MINUTE_MS;

  /** Connections of the database pool. */
  @wholeNumber(1, 100)
  DATABASE_POOL = 6;

  /** Spending caps in cents. The variable lists those to change: `XXS=50,XL=9000`. */
  BUDGET_CAPS: Readonly<Record<BudgetTier, number>> = { XXS: 100, XS: 200, S: 500, M: 1500, L: 3000, XL: 6000 };

  /** Markup on what providers bill. It counts towards the caps and is recorded in each new job. At most two decimals. */
  MARKUP_PERCENT = 0;

  /** Whether a new job must reserve its cap from its tenant's balance. Existing reservations are settled in either case. */
  @IsIn(BALANCE_MODES, { message: `must be one of ${BALANCE_MODES.join(', ')}` })
  BALANCE: (typeof BALANCE_MODES)[number] = 'off';

  /** Default limits of each tenant, which `research tenants set` can override: `requestsPerMinute=600,openJobs=50`. */
  TENANT_LIMITS: Limits = {};

  /** Default limits of each key. */
  KEY_LIMITS: Limits = {};

  /** Failed logins per minute that one address may have; 0: no limit. */
  @wholeNumber(0, 100_000)
  LOGIN_FAILURES_PER_MINUTE = 600;

  /** Proxies whose `X-Forwarded-For` is trusted. */
  TRUSTED_PROXIES: readonly string[] = [];

  /** Threads are deleted after this many days without any event; 0: never. */
  @wholeNumber(0, 36_500)
  RETAIN_THREADS_DAYS = 0;

  /** Skeletons of deleted threads are removed this many days after their last event; 0: never. */
  @wholeNumber(0, 36_500)
  RETAIN_SKELETONS_DAYS = 0;

  /** How long the records of reads through the auditors' routes are kept. */
  @wholeNumber(1, 36_500)
  AUDIT_READS_DAYS = 400;

  /**
   * Pause between two checkpoints of the event log; 0: neither log nor checkpoints. With several sagas one can come half a pause late, and the alert
   * CheckpointOld fires after an hour.
   */
  @wholeNumber(0, 30 * MINUTE_MS)
  CHECKPOINT_MS = 5 * MINUTE_MS;

  /** Ed25519 private keys that sign checkpoints; if unset, only the embedded database signs. Secret. */
  CHECKPOINT_KEY: readonly Buffer[] | undefined = undefined;

  /** Globally unique name of the log in its checkpoints; unset: derived from the key. Takes effect when the log is opened. */
  @IsOptional()
  @Matches(/^[A-Za-z0-9][A-Za-z0-9._~:/-]{2,199}$/, {
    message: 'must be a name such as audit.example.org/research: 3 to 200 letters, digits and . _ ~ : / -',
  })
  CHECKPOINT_ORIGIN: string | undefined = undefined;

  /** Folder for checkpoints, best on another machine. Absolute. */
  CHECKPOINT_DIR: string | undefined = undefined;

  /** The witnesses that cosign checkpoints. */
  CHECKPOINT_WITNESSES: readonly WitnessSetting[] = [];

  /** From OTEL_EXPORTER_OTLP_ENDPOINT and so on, see `TraceSettings`; null: tracing is off. Secret. */
  traces: TraceSettings | null = null;

  /** Keys of the real APIs; empty in a process that must not hold any. Secret. */
  providerKeys: ProviderKeys = {};
}

/** Settings that are read from several variables each. */
export const GROUPS = ['providerKeys', 'natsLogin', 'traces'] as const;
/** The variables that are read one by one. */
export type Variable = Exclude<keyof Env, (typeof GROUPS)[number]>;
