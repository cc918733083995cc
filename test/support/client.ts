import type { Supervisor } from './supervisor';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Nobody answered: what became of the request is unknown. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** The HTTP API as a customer uses it, through any of the api processes that run. */
export class Client {
  private turn = 0;

  constructor(private readonly supervisor: Supervisor) {}

  /** @throws Unanswered */
  async call(method: string, path: string, body?: object, apiKey = this.supervisor.apiKey): Promise<Answer> {
    const apis = this.supervisor.running('api');
    const api = apis[this.turn++ % apis.length];
    if (!api) throw new Unanswered('no api runs');
    const headers = { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    try {
      const response = await fetch(`${api.address}${path}`, { method, headers, body: body && JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    } catch (cause) {
      throw new Unanswered(`${method} ${path}`, { cause });
    }
  }
}
