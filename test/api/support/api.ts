import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { SCOPES, type Scope } from '@lib/domain/scopes';
import { generateKey } from '@lib/store/access/key-format';
import type { VerifiedKey } from '@lib/store/access/verify-key';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { ApiModule } from '../../../src/api/api.module';
import { RESOLVE_PROVIDER } from '../../../src/api/body.pipe';
import { Readiness, type HealthCheck } from '../../../src/api/health';
import { createHttpApplication } from '../../../src/api/http';
import { Logins } from '../../../src/access/logins';
import { createLogger } from '../../../src/api/logging';
import { InMemoryThreads, providersOf } from './in-memory-threads';

export interface TestApi {
  app: NestFastifyApplication;
  threads: InMemoryThreads;
  /** A key of the tenant `acme`, and one of another tenant. */
  key: string;
  otherKey: string;
  /** Another key of `acme`. */
  keyWith(scopes: readonly Scope[]): string;
  /** Everything that was logged, line by line. */
  logged: string[];
}

interface TestApiOptions {
  basePath?: string;
  healthChecks?: HealthCheck[];
  origins?: readonly string[];
  /** Holds up every look-up of a key. */
  beforeLookUp?: () => Promise<void>;
}

/** The HTTP edge, complete, over threads in memory. It listens nowhere until it is told to. */
export async function startApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { basePath = '', healthChecks = [], origins = [], beforeLookUp } = options;
  const threads = new InMemoryThreads();
  const [mine, other] = [generateKey(), generateKey()];
  const holders = new Map<string, VerifiedKey>([
    [mine.keyText, { keyId: mine.keyId, tenantId: 'acme', scopes: SCOPES, keyLimits: null }],
    [other.keyText, { keyId: other.keyId, tenantId: 'globex', scopes: SCOPES, keyLimits: null }],
  ]);
  const keyWith = (scopes: readonly Scope[]): string => {
    const { keyId, keyText } = generateKey();
    holders.set(keyText, { keyId, tenantId: 'acme', scopes, keyLimits: null });
    return keyText;
  };
  const logged: string[] = [];
  const logger = createLogger('trace', { write: (line) => void logged.push(line) });
  const readiness = new Readiness(logger);
  readiness.add(...healthChecks);
  const module = ApiModule.register([...providersOf(threads), { provide: RESOLVE_PROVIDER, useValue: resolveProvider }], readiness);
  const app = await createHttpApplication(module, {
    logger,
    basePath,
    origins,
    logins: new Logins(async (keyText) => {
      await beforeLookUp?.();
      return holders.get(keyText) ?? null;
    }, 0),
  });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return { app, threads, key: mine.keyText, otherKey: other.keyText, keyWith, logged };
}

const ALIASES = new Map([['perplexity', PROVIDERS[0]]]);
const resolveProvider = (name: string): string | undefined => ALIASES.get(name);
