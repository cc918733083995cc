import { fullBucket, settle, take, waitMs, type Bucket, type Rate } from '@lib/domain/token-bucket';
import { boundedCache } from '@lib/memory/bounded-cache';
import type { VerifyKey } from '@lib/store/access/verify-key';
import { Problem } from '../api/problems';
import { parseAddress } from './client-address';

type Verified = NonNullable<Awaited<ReturnType<VerifyKey>>>;

const ADDRESSES_BYTES = 4 * 1024 * 1024;
const BUCKET_BYTES = 100;
/** Bytes of an IPv6 address that identify its network: a client with one address of a /64 usually has all of them. */
const NETWORK_BYTES = 8;

/**
 * Limits the failed logins of each address. Beyond the limit they are answered with 429, and keys from that address are looked up slowly: so guessing
 * costs the database next to nothing, but a valid key still gets in.
 */
export class Logins {
  private readonly addresses = boundedCache<Bucket>({ name: 'failed logins', maxBytes: ADDRESSES_BYTES, bytesOf: () => BUCKET_BYTES });
  private readonly rate: Rate | null;

  /** @param failuresPerMinute of one address; 0: any number */
  constructor(
    private readonly verifyKey: VerifyKey,
    failuresPerMinute: number,
  ) {
    this.rate = failuresPerMinute > 0 ? { perSecond: failuresPerMinute / 60, burst: failuresPerMinute } : null;
  }

  /**
   * Whose key it is: at once if it was verified in the last seconds.
   * @param keyText null for what can be no key, undefined where none was sent
   * @throws Problem invalid_api_key, or rate_limited where too many logins of the address have failed
   */
  login(keyText: string | null | undefined, address: string): Verified | Promise<Verified> {
    const { rate } = this;
    let attempt: { bucket: Bucket; isAllowed: boolean } | null = null;
    const attempted = () => {
      const bucket = this.bucketOf(address);
      // Counted before the result is known, because otherwise any number of simultaneous logins would be allowed. Taken back if the key is valid.
      return (attempt ??= { bucket, isAllowed: rate === null || take(bucket, rate, performance.now()) });
    };
    if (keyText === undefined || keyText === null) throw this.refusal(attempted(), keyText === null);
    const known = this.verifyKey(keyText, () => (attempted().isAllowed ? 'quick' : 'slow'));
    if (!(known instanceof Promise)) return known;
    const giveBack = () => {
      if (rate && attempt?.isAllowed) settle(attempt.bucket, rate, performance.now(), -1);
    };
    return known.then(
      (holder) => {
        if (holder === null) throw this.refusal(attempted());
        giveBack();
        return holder;
      },
      (error: unknown) => {
        // The lookup failed, so it is unknown whether the key is valid: that does not count as a failed login.
        giveBack();
        throw error;
      },
    );
  }

  private refusal({ bucket, isAllowed }: { bucket: Bucket; isAllowed: boolean }, wasSent = true): Problem {
    if (isAllowed || !this.rate) return invalidKey(wasSent);
    const seconds = Math.max(1, Math.ceil(waitMs(bucket, this.rate, performance.now()) / 1000));
    const detail = `Too many requests from this address had no valid API key: send a valid one, or wait ${seconds} s.`;
    return new Problem('rate_limited', detail, [], { 'retry-after': String(seconds) });
  }

  private bucketOf(address: string): Bucket {
    const name = networkOf(address);
    const known = this.addresses.get(name);
    if (known) return known;
    const bucket = fullBucket();
    this.addresses.set(name, bucket);
    return bucket;
  }
}

/** @param wasSent false if no key was sent: then the challenge names no error (RFC 6750, section 3.1) */
export function invalidKey(wasSent = true): Problem {
  const detail = 'Send a valid API key in the header Authorization: Bearer <API_KEY>.';
  const challenge = `Bearer realm="research-threads"${wasSent ? ', error="invalid_token"' : ''}`;
  return new Problem('invalid_api_key', detail, [], { 'www-authenticate': challenge });
}

/** An IPv4 address (also from an IPv4-mapped one), or the /64 network of an IPv6 address. */
function networkOf(given: string): string {
  const address = parseAddress(given);
  if (address === null) return given;
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, NETWORK_BYTES).join('.');
}
