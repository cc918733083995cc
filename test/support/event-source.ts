import { createParser } from 'eventsource-parser';

/** What one connection to an event stream gave. */
export interface Followed {
  status: number;
  headers: Headers;
  /** Ids in the order of their arrival, and what stood in the messages. */
  ids: string[];
  data: { version: number; type: string }[];
  retryMs: number | null;
  /** The server ended it. */
  isEnded: boolean;
  text: string;
}

export interface FollowOptions {
  headers: Record<string, string>;
  lastEventId?: string | undefined;
  /** Hangs up once so many bytes have come. */
  maxBytes?: number;
  /** Hangs up once this is true. */
  until?: (followed: Followed) => boolean;
  /** Hangs up at once. */
  signal?: AbortSignal | undefined;
}

/** Follows an event stream until it ends, or the client has enough. */
export async function follow(url: string, options: FollowOptions): Promise<Followed> {
  const { headers, lastEventId, maxBytes = Number.POSITIVE_INFINITY, until = () => false, signal } = options;
  const response = await fetch(url, {
    headers: { ...headers, accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
  });
  const followed: Followed = {
    status: response.status,
    headers: response.headers,
    ids: [],
    data: [],
    retryMs: null,
    isEnded: false,
    text: '',
  };
  const parser = createParser({
    onEvent: ({ id, data }) => {
      followed.ids.push(id ?? '');
      followed.data.push(JSON.parse(data) as Followed['data'][number]);
    },
    onRetry: (retryMs) => void (followed.retryMs = retryMs),
    onError: (error) => {
      throw error;
    },
  });
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  signal?.addEventListener('abort', () => void reader.cancel());
  if (signal?.aborted) await reader.cancel();
  for (;;) {
    const { done, value: bytes } = await reader.read();
    if (done) return { ...followed, isEnded: signal?.aborted !== true };
    // What the service writes of a history is ASCII.
    const text = Buffer.from(bytes)
      .toString('latin1')
      .slice(0, maxBytes - followed.text.length);
    followed.text += text;
    if (isStream) parser.feed(text);
    if (followed.text.length < maxBytes && !until(followed)) continue;
    await reader.cancel();
    return followed;
  }
}
