/** What a keyed digest is of. The name is part of what is digested, so that digests of different things never compare. */
export type DigestName = 'raw response' | 'external id' | 'sent' | 'request id';

/**
 * Recognizes a text for whoever holds its thread's key, and for nobody else: it cannot be confirmed by guessing, and not at all once the key is
 * erased. Null where the key is gone already.
 */
export type Digest = (name: DigestName, text: string) => string | null;
