import { USUAL_SCOPES } from '@lib/domain/scopes';
import * as keys from '@lib/store/access/api-keys';
import type { KeyStore } from '@lib/store/access/stored-key';
import { META } from './store';

type Terms = Partial<Pick<keys.NewKey, 'scopes' | 'expiresAt' | 'limits'>>;

/** A key as `research keys create` makes it. */
export const createKey = (store: KeyStore, tenantId: string, name: string | null, terms: Terms = {}): Promise<string> =>
  keys.createKey(store, { tenantId, name, scopes: USUAL_SCOPES, expiresAt: null, ...terms }, META);

export const revokeKey = (store: KeyStore, keyId: string): Promise<boolean> => keys.revokeKey(store, keyId, META);
