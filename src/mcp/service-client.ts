import type { ProblemView } from '../api/problem.view';

export interface ServiceRequest {
  method: 'GET' | 'POST';
  /** Below the base path, without a query. */
  path: string;
  /** What is undefined is left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: object;
  idempotencyKey?: string;
}

export interface ServiceAnswer {
  status: number;
  /** What the body says as JSON. */
  body: unknown;
}

/** Sends one request to the HTTP API with the key of whoever calls the tool, be it in this process or over the network. */
export type SendRequest = (request: ServiceRequest) => Promise<ServiceAnswer>;

/** What the API refused, in its own words. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly problem: Pick<ProblemView, 'code' | 'detail' | 'errors'>) {
    super(problem.detail);
  }
}

/** @throws Refused */
export async function answerOf<Answer>(send: SendRequest, request: ServiceRequest): Promise<Answer> {
  const { status, body } = await send(request);
  if (status < 400) return body as Answer;
  const { code = 'internal_error', detail = `The service answered with status ${status}.`, errors = [] } = body as Partial<ProblemView>;
  throw new Refused({ code, detail, errors });
}

export function addressOf({ path, query = {} }: ServiceRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
}

/** A body makes its own content type: without one there is none to name. */
export const headersOf = ({ body, idempotencyKey }: ServiceRequest): Record<string, string> => ({
  accept: 'application/json',
  ...(body && { 'content-type': 'application/json' }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
});
