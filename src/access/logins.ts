import { fullBucket, settle, take, waitMs, type Bucket, type Rate } from '@lib/domain/token-bucket';
import { boundedCache } from '@lib/memory/bounded-cache';
import type { VerifyKey } from '@lib/store/access/verify-key';
import { Problem } from '../api/problems';
import { parseAddress } from './client-address';

type Verified = NonNullable<Awaited<ReturnType<VerifyKey>>>;

const ADDRESSES_BYTES = 4 * 1024 * 1024;
const BUCKET_BYTES = 100;
/** The bytes that name a network of IPv6: a client that has one of its addresses has all of them. */
const NETWORK_BYTES = 8;

/**
 * Limits the failed logins of one address. Beyond the limit they are answered with 429, and the address's keys are looked up slowly: so they cost the
 * database next to nothing, and a valid key still gets in.
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
      // Counted before the answer is known, or all that are sent at once would be allowed. Taken back if the key is valid.
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
        // Whether the key is valid is not known, so this is no failed login.
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

/** @param wasSent who sent no key is told of no error in one (RFC 6750, section 3.1) */
export function invalidKey(wasSent = true): Problem {
  const detail = 'Send a valid API key in the header Authorization: Bearer <API_KEY>.';
  const challenge = `Bearer realm="research-threads"${wasSent ? ', error="invalid_token"' : ''}`;
  return new Problem('invalid_api_key', detail, [], { 'www-authenticate': challenge });
}

/** An address of version 4, also where it is written as one of version 6, or the network of one of version 6. */
function networkOf(given: string): string {
  const address = parseAddress(given);
  if (address === null) return given;
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, NETWORK_BYTES).join('.');
}
