import { createHash } from 'node:crypto';
import type { ProviderId } from '@lib/domain/vocabulary';

const DIGEST_LENGTH = 16;

/**
 * The name of a provider's gate for one tenant, beside the one for all. It does not reveal the tenant, because the api's database role reads all
 * gates but may only see the tenants that a statement names.
 */
export const tenantGate = (provider: ProviderId, tenantId: string): string => `${provider}/${tenantDigest(tenantId)}`;

export const tenantDigest = (tenantId: string): string => createHash('sha256').update(tenantId).digest('hex').slice(0, DIGEST_LENGTH);

/** The same in SQL, of two columns. */
export const tenantGateSql = (provider: string, tenant: string): string =>
  `${provider} || '/' || left(encode(sha256(convert_to(${tenant}, 'UTF8')), 'hex'), ${DIGEST_LENGTH})`;

export const isOfTenant = (gate: string): boolean => gate.includes('/');
