import { USUAL_SCOPES } from '@lib/domain/scopes';
import { INSUFFICIENT_PRIVILEGE, sqlStateOf } from '../postgres/sql-states';
import { AT_START } from '../tenants/tenants';
import { keyIdOf } from './key-format';
import { findKey, type KeyStore } from './stored-key';

/**
 * Makes sure that a given key works, for a key that the operator chose (`BOOTSTRAP_API_KEY`). Repeating it changes nothing.
 * @throws Error if the text is no key, or its id stands for another key, another tenant or a revoked key
 */
export async function ensureKey(store: KeyStore, keyText: string, tenantId: string): Promise<void> {
  const keyId = keyIdOf(keyText);
  if (keyId === null)
    throw new Error(
      'The given API key is not of the form rt_live_<id>_<secret><checksum>, or its checksum is wrong; make one with `research keys create`.',
    );
  let stored = await findKey(store, keyId);
  if (stored === null) {
    // The ORM is loaded by the one start that needs it.
    const { insertKey } = await import('./api-keys.ts');
    // Another process that starts at the same time may insert it first: what stands then is checked like any other.
    const terms = { tenantId, name: null, scopes: USUAL_SCOPES, expiresAt: null };
    await insertKey(store, { keyId, keyText }, terms, AT_START).catch((cause: unknown) => {
      if (sqlStateOf(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
      throw new Error(
        `The given API key ${keyId} is not there, and the database's role may not make it: leave out BOOTSTRAP_API_KEY, and make a key with \`research keys create\` as the owner of the tables.`,
        { cause },
      );
    });
    stored = await findKey(store, keyId);
  }
  if (stored === null) throw new Error(`The given API key ${keyId} was removed while it was made; start again.`);
  if (stored.state === 'revoked') throw new Error(`The given API key ${keyId} was revoked; use another one.`);
  if (stored.tenantId !== tenantId)
    throw new Error(`The given API key ${keyId} belongs to the tenant ${stored.tenantId}, not to ${tenantId}.`);
  if (stored.state === 'expired') throw new Error(`The given API key ${keyId} has expired; use another one.`);
  if (!stored.fits(keyText) || stored.state !== 'in force') {
    throw new Error(
      `The given API key ${keyId} is stored with another secret or under another API_KEY_PEPPER, or its row was changed; restore the pepper or use another key.`,
    );
  }
}
