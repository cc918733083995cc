/** What a keyed digest is computed from. The name is part of the input, so digests of different things never match. */
export type DigestName = 'raw response' | 'external id' | 'sent' | 'request id';

/**
 * A digest keyed with the thread's key. Only with that key can a guessed text be checked against it, so after the key is erased nobody can. Null if
 * the key is already erased.
 */
export type Digest = (name: DigestName, text: string) => string | null;
