/** How a customer reaches a deployment. */
export interface Entrance {
  apiKey: string;
  /** Of the api processes that run at this moment. */
  apiAddresses(): string[];
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Nobody answered: what became of the request is unknown. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** The HTTP API as a customer uses it, through any of the api processes that run. */
export class Client {
  private turn = 0;

  /** @param patienceMs how long a request may go unanswered; by default as long as its connection lives */
  constructor(
    private readonly entrance: Entrance,
    private readonly patienceMs: number | null = null,
  ) {}

  /**
   * @param more headers beside the usual ones
   * @throws Unanswered
   */
  async call(
    method: string,
    path: string,
    body?: object,
    apiKey = this.entrance.apiKey,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const apis = this.entrance.apiAddresses();
    const api = apis[this.turn++ % apis.length];
    if (!api) throw new Unanswered('no api runs');
    const headers = { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}), ...more };
    try {
      const signal = this.patienceMs === null ? undefined : AbortSignal.timeout(this.patienceMs);
      const response = await fetch(`${api}${path}`, { method, headers, signal, body: body && JSON.stringify(body) });
      const text = await response.text();
      // Without a body: 304, what the client has is what there is.
      return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Answer['body'] };
    } catch (cause) {
      throw new Unanswered(`${method} ${path}`, { cause });
    }
  }
}
