import type { ProblemView } from '../api/problem.view';

export interface ServiceRequest {
  method: 'GET' | 'POST';
  /** Below the base path, without a query. */
  path: string;
  /** Undefined values are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: object;
  idempotencyKey?: string;
  /** Answer when the job differs from the one with this tag, or where there is none once it is final; after so many seconds at the latest. */
  wait?: { seconds: number; tag: string | null };
}

export interface ServiceAnswer {
  status: number;
  /** What the body says as JSON. */
  body: unknown;
  /** The header `Link`, which names the next page. */
  link?: string | null | undefined;
  /** The header `ETag`. */
  tag?: string | null | undefined;
  /** The header `Retry-After`, in seconds. */
  retryAfter?: number | null | undefined;
}

/** What tools need of an answer's headers. */
export const toldByHeaders = (header: (name: string) => string | null | undefined): Pick<ServiceAnswer, 'link' | 'tag' | 'retryAfter'> => ({
  link: header('link'),
  tag: header('etag'),
  retryAfter: /^\d+$/.test(header('retry-after') ?? '') ? Number(header('retry-after')) : null,
});

/** Sends one request to the HTTP API with the key of whoever calls the tool, be it in this process or over the network. */
export type SendRequest = (request: ServiceRequest) => Promise<ServiceAnswer>;

/** Its answer has no body. */
export const NOT_MODIFIED = 304;

/** What the API refused, in its own words. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly problem: Pick<ProblemView, 'code' | 'detail' | 'errors'>,
    /** Seconds after which the same request may be accepted; null if the API did not say. */
    readonly retryAfter: number | null = null,
  ) {
    super(problem.detail);
  }
}

/** For a tool whose argument has another name than the property of the body. @throws Refused in terms of the tool */
export const inTermsOf =
  (property: string, argument: string) =>
  (error: unknown): never => {
    if (!(error instanceof Refused)) throw error;
    const { code, detail, errors } = error.problem;
    const isAbout = (violation: (typeof errors)[number] | undefined): boolean => violation?.pointer === `/${property}`;
    const named = (text: string): string => text.replace(new RegExp(`^${property}\\b`), argument);
    throw new Refused({
      code,
      detail: isAbout(errors[0]) ? named(detail) : detail,
      errors: errors.map((violation) => (isAbout(violation) ? { ...violation, message: named(violation.message) } : violation)),
    });
  };

/** @throws Refused */
export const answerOf = async <Answer>(send: SendRequest, request: ServiceRequest): Promise<Answer> =>
  (await accepted(send, request)).body as Answer;

/** @throws Refused */
export async function pageOf<Answer>(send: SendRequest, request: ServiceRequest): Promise<{ page: Answer; nextCursor: string | null }> {
  const { body, link } = await accepted(send, request);
  return { page: body as Answer, nextCursor: /[?&]cursor=([^&>]+)[^>]*>/.exec(link ?? '')?.[1] ?? null };
}

/** With its tag; null if it is as the request knows it. @throws Refused */
export async function taggedOf<Answer>(send: SendRequest, request: ServiceRequest): Promise<{ answer: Answer; tag: string | null } | null> {
  const { status, body, tag = null } = await accepted(send, request);
  return status === NOT_MODIFIED ? null : { answer: body as Answer, tag };
}

async function accepted(send: SendRequest, request: ServiceRequest): Promise<ServiceAnswer> {
  const answer = await send(request);
  const { status, body, retryAfter } = answer;
  if (status < 400) return answer;
  const { code = 'internal_error', detail = `The service answered with status ${status}.`, errors = [] } = body as Partial<ProblemView>;
  throw new Refused({ code, detail, errors }, retryAfter);
}

export function addressOf({ path, query = {} }: ServiceRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
}

/** The content type is only named if there is a body. */
export const headersOf = ({ body, idempotencyKey, wait }: ServiceRequest): Record<string, string> => ({
  accept: 'application/json',
  ...(body && { 'content-type': 'application/json' }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  ...(wait && { prefer: `wait=${wait.seconds}` }),
  ...(wait?.tag && { 'if-none-match': wait.tag }),
});
