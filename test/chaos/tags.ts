import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../support/client';

interface SeenTag {
  text: string;
  version: number;
  body: Answer['body'];
}

/** What the tags of jobs' answers promise: the same tag is the same answer, no version comes back, and 304 means the newest one. */
export class Tags {
  /** By job, in the order in which they were seen. */
  private readonly seen = new Map<string, SeenTag[]>();

  constructor(private readonly violation: (what: string) => void) {}

  /** How often a client was told that what it has is what there is. */
  unchanged = 0;

  newest(jobId: string): string | null {
    return this.seen.get(jobId)?.at(-1)?.text ?? null;
  }

  /** One that was left: the server may not say of it that nothing has changed. */
  left(jobId: string): string | null {
    return this.seen.get(jobId)?.at(-2)?.text ?? null;
  }

  /**
   * The document that the client has after this answer.
   * @throws Error if it has none
   */
  documentOf(jobId: string, { status, headers, body }: Answer): Answer['body'] {
    const text = headers.get('etag') ?? '';
    const version = Number(/^(?:W\/)?"(\d+)-/.exec(text)?.[1]);
    const all = this.seen.get(jobId) ?? [];
    const known = all.find((tag) => tag.text === text);
    const highest = Math.max(0, ...all.map((tag) => tag.version));
    if (!(version >= highest)) this.violation(`${jobId} was at ${highest} and came back with the tag ${text}, status ${status}`);
    if (status === 304) {
      this.unchanged += 1;
      if (!known) throw new Error(`${jobId} is said not to have changed since ${text}, which nobody had seen`);
      return known.body;
    }
    if (known && !isDeepStrictEqual(known.body, body)) this.violation(`${jobId} has two answers with the tag ${text}`);
    if (!known) this.seen.set(jobId, [...all, { text, version, body }]);
    return body;
  }
}
