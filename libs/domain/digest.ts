/** What a keyed digest is made of. The name is digested too, so that digests of different kinds never match. */
export type DigestName = 'raw response' | 'external id' | 'sent' | 'request id';

/**
 * A digest by which the holder of the thread's key can recognize a text. Nobody else can confirm a guess, and nobody at all once the key is erased.
 * Null if the key is already gone.
 */
export type Digest = (name: DigestName, text: string) => string | null;
