import { DomainError } from '@lib/domain/errors';
import { USUAL_SCOPES, type Scope } from '@lib/domain/scopes';
import { readEnv } from '@lib/settings/read-env';
import { changeKey, createKey, listKeys, revokeKey, rotateKey, type ListedKey } from '@lib/store/access/api-keys';
import { belongsToPepper, sealKeys } from '@lib/store/access/seal-keys';
import type { KeyStore } from '@lib/store/access/stored-key';
import { databaseTime } from '@lib/store/postgres/database-time';
import { migrate } from '@lib/store/postgres/migrations';
import { openOperatorPool, requireAllTenants, requireSchema } from '../database';
import { makePepper, operatorPepper } from '../embedded/data-folder';
import { limitChanges, type LimitOptions } from './limit-options';
import { showList, type ListOptions } from './list';
import { operatorMeta } from './operator-meta';
import { NEVER, type Expiry } from './option-parsers';

interface KeyTermsOptions {
  scopes?: Scope[];
  expires?: Expiry;
}

export async function createKeyCommand({
  tenant,
  name,
  scopes,
  expires,
  ...limits
}: { tenant: string; name?: string } & KeyTermsOptions & LimitOptions): Promise<void> {
  await withKeys(async (keys) => {
    const terms = { scopes: scopes ?? USUAL_SCOPES, expiresAt: await endOf(keys, expires), limits: limitChanges(limits) };
    const newKey = { tenantId: tenant, name: name ?? null, ...terms };
    console.log(await createKey(keys, newKey, operatorMeta()));
    process.stderr.write(SHOWN_ONCE);
  });
}

/** A line a key: id, tenant, name, when it was made, how it is, scopes, when it expires, when it was last used. */
export async function listKeysCommand({ tenant, json }: ListOptions): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const { pool } = await openOperatorPool(readEnv(process.env), closing);
  // Who only looks leaves the database as it is.
  await requireSchema(pool);
  await requireAllTenants(pool);
  const now = await databaseTime(pool);
  showList({
    columns: ['key', 'tenant', 'name', 'made', 'state', 'scopes', 'expires', 'last used'],
    rows: await listKeys({ pool }, tenant),
    line: (key) => lineOf(key, now),
    document: (key) => ({ ...key, state: stateOf(key, now) }),
    json,
  });
}

export async function changeKeyCommand(keyId: string, { tenant, scopes, expires }: { tenant?: string } & KeyTermsOptions): Promise<void> {
  if (scopes === undefined && expires === undefined)
    throw new Error('Nothing is changed: give --scopes or --expires; `research tenants set TENANT --key KEY` changes limits.');
  await withKey(keyId, tenant, async (keys) => {
    const terms = { ...(scopes && { scopes }), ...(expires !== undefined && { expiresAt: await endOf(keys, expires) }) };
    await changeKey(keys, keyId, terms, operatorMeta());
    console.log(`${keyId} is changed; every process goes by it within ten seconds.`);
  });
}

export async function rotateKeyCommand(
  keyId: string,
  { tenant, overlap, expires }: { tenant?: string; overlap: number; expires?: Expiry },
): Promise<void> {
  await withKey(keyId, tenant, async (keys) => {
    const rotation = { overlapMs: overlap, ...(expires !== undefined && { expiresAt: await endOf(keys, expires) }) };
    const { keyText, replacedExpiresAt } = await rotateKey(keys, keyId, rotation, operatorMeta());
    console.log(keyText);
    process.stderr.write(`${SHOWN_ONCE}${keyId}, whose place it takes, is refused from ${replacedExpiresAt} on.\n`);
  });
}

export async function revokeKeyCommand(keyId: string, { tenant }: { tenant?: string }): Promise<void> {
  await withKey(keyId, tenant, async (keys) => {
    if (!(await revokeKey(keys, keyId, operatorMeta()))) throw new DomainError('key_not_found');
    console.log(`${keyId} is revoked; every process refuses it within ten seconds.`);
  });
}

/** @throws Error that names the database's time if the key would have ended by then */
async function endOf({ pool }: KeyStore, expires: Expiry | undefined): Promise<string | null> {
  if (expires === undefined || expires === NEVER) return null;
  const now = await databaseTime(pool);
  if (typeof expires === 'number') return new Date(now.getTime() + expires).toISOString();
  if (expires > now.toISOString()) return expires;
  throw new Error(`--expires ${expires} must lie ahead of the database's time, which is ${now.toISOString()}: give a later one, or never.`);
}

const SHOWN_ONCE = 'This is the only time the key is shown: keep it safe.\n';

function lineOf(key: ListedKey, now: Date): string {
  const { keyId, tenantId, name, createdAt, scopes, expiresAt, lastUsedAt } = key;
  const terms = [scopes?.join(',') || '-', told(expiresAt), told(lastUsedAt)];
  return [keyId, tenantId, name ?? '-', told(createdAt), STATES[stateOf(key, now)](key), ...terms].join('\t');
}

const STATES: Readonly<Record<KeyState, (key: ListedKey) => string>> = {
  in_force: () => 'in force',
  expired: () => 'expired',
  revoked: ({ revokedAt }) => `revoked ${told(revokedAt)}`,
  refused: () => 'refused: made by an earlier build',
};

/** Somebody who writes to the database may have stored a value that is no date in JavaScript, such as infinity. */
function told(time: Date | null): string {
  if (time === null) return 'never';
  return Number.isNaN(time.getTime()) ? 'no date' : time.toISOString();
}

type KeyState = 'in_force' | 'expired' | 'revoked' | 'refused';

function stateOf({ revokedAt, expiresAt, scopes }: ListedKey, now: Date): KeyState {
  if (revokedAt) return 'revoked';
  if (scopes === null) return 'refused';
  return expiresAt && expiresAt <= now ? 'expired' : 'in_force';
}

/** @throws Error that says what to do if the tenant, or any if none is named, has no such key in force */
export async function withKey(keyId: string, tenant: string | undefined, use: (keys: KeyStore) => Promise<void>): Promise<void> {
  const missing = `There is no key ${keyId} in force${tenant ? ` of the tenant ${tenant}` : ''}: \`research keys list\` shows those there are.`;
  await withKeys(async (keys) => {
    if (!(await listKeys(keys, tenant)).some((key) => key.keyId === keyId)) throw new Error(missing);
    await use(keys).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'key_not_found' ? new Error(missing) : error;
    });
  });
}

/** Needs the pepper, and no master key: nothing of what it reads or writes is content. */
async function withKeys(use: (keys: KeyStore) => Promise<void>): Promise<void> {
  const env = readEnv(process.env);
  const given = operatorPepper(env);
  await using closing = new AsyncDisposableStack();
  const { url, pool } = await openOperatorPool(env, closing);
  await migrate(url, { tell: (line) => console.error(line) });
  const pepper = given ?? makePepper(env, await belongsToPepper({ pool }));
  await sealKeys({ pool, pepper }, operatorMeta());
  await use({ pool, pepper });
}
