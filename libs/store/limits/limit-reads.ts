import type { Pool } from 'pg';
import type { Limits } from '@lib/domain/limits';
import { forTenants } from '@lib/batching/named-tenants';
import { boundedCache } from '@lib/memory/bounded-cache';
import { rowsOf } from '../postgres/rows-of';

/** The limits of a tenant and one of its keys. */
export interface LimitsOfKey {
  tenant: Limits;
  key: Limits;
}

/** Who uses the service with which key, and the limits in the key's row. */
interface Holder {
  tenantId: string;
  keyId: string;
  keyLimits: Limits | null;
}

interface Known extends LimitsOfKey {
  keyLimits: Limits | null;
}

const READ = {
  name: 'tenant_limits',
  text: `select key_id as "keyId", limits from tenant_limit where tenant_id = $1 and key_id in ('', $2)`,
};

/** After this time every process knows limits that were set. */
const KNOWN_FOR_MS = 10_000;
const KNOWN_BYTES = 1024 * 1024;
const LIMITS_BYTES = 400;

/** The limits of a key that earlier builds knew. They stand beside its row until it is changed. */
const ratesOf = ({ requestsPerMinute, burst }: Limits = {}): Limits => ({
  ...(requestsPerMinute !== undefined && { requestsPerMinute }),
  ...(burst !== undefined && { burst }),
});

/** The effective limits, set ones over those of the settings: read once in ten seconds for each key in use. */
export class LimitReads {
  private readonly known = boundedCache<Known>({
    name: 'limits',
    maxBytes: KNOWN_BYTES,
    bytesOf: () => LIMITS_BYTES,
    ttlMs: KNOWN_FOR_MS,
  });
  private readonly reading = new Map<string, Promise<LimitsOfKey>>();

  constructor(
    private readonly pool: Pool,
    private readonly usual: LimitsOfKey,
  ) {}

  /** @throws StoreUnavailable where they have to be read and cannot be */
  of(holder: Holder): LimitsOfKey | Promise<LimitsOfKey> {
    const name = `${holder.tenantId}/${holder.keyId}`;
    const known = this.known.get(name);
    if (known?.keyLimits === holder.keyLimits) return known;
    const reading = this.reading.get(name) ?? this.read(name, holder).finally(() => this.reading.delete(name));
    this.reading.set(name, reading);
    return reading;
  }

  private async read(name: string, { tenantId, keyId, keyLimits }: Holder): Promise<LimitsOfKey> {
    const read = () => rowsOf<{ keyId: string; limits: Limits }>(this.pool, { ...READ, values: [tenantId, keyId] });
    const rows = await forTenants([tenantId], read);
    const own = (id: string) => rows.find((row) => row.keyId === id)?.limits;
    const key = { ...this.usual.key, ...(keyLimits ?? ratesOf(own(keyId))) };
    const limits = { tenant: { ...this.usual.tenant, ...own('') }, key, keyLimits };
    this.known.set(name, limits);
    return limits;
  }
}
