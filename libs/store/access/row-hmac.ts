import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Limits } from '@lib/domain/limits';
import { canonicalJson } from '../history/canonical-json';

/** All columns of a key's row except the time of its last use. */
export interface KeyRow {
  keyId: string;
  tenantId: string;
  name: string | null;
  hmac: Buffer;
  createdAt: Date;
  scopes: readonly string[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Limits that differ from the settings; null if there are none. */
  limits: Limits | null;
}

/** The columns of a `KeyRow` under its names. */
export const KEY_ROW = `key_id as "keyId", tenant_id as "tenantId", name, hmac, created_at as "createdAt", scopes, expires_at as "expiresAt",
  revoked_at as "revokedAt", limits, row_hmac as "rowHmac"`;

/**
 * The HMAC of a key's row. It takes the pepper, so somebody who can only write to the database cannot change a key unnoticed. Rows from
 * before keys had limits keep the HMAC that they have.
 */
export function rowHmac({ keyId, tenantId, name, hmac, createdAt, scopes, expiresAt, revokedAt, limits }: KeyRow, pepper: string): Buffer {
  const times = { createdAt: isoOf(createdAt), expiresAt: isoOf(expiresAt), revokedAt: isoOf(revokedAt) };
  const row = canonicalJson({ keyId, tenantId, name, hmac: hmac.toString('base64'), scopes, ...times, ...(limits && { limits }) });
  return createHmac('sha256', pepper).update(`row of api_key\n${row}`).digest();
}

export function isGenuine(row: KeyRow & { rowHmac: Buffer | null }, pepper: string): boolean {
  const expected = rowHmac(row, pepper);
  return row.rowHmac?.length === expected.length && timingSafeEqual(row.rowHmac, expected);
}

/** Somebody who writes to the database may store a value that is no date here, such as infinity. Such a row was not sealed by us. */
function isoOf(time: Date | null): string | null {
  if (time === null) return null;
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? 'no date' : at.toISOString();
}
