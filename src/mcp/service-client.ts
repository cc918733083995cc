import type { ProblemView } from '../api/problem.view';

export interface ServiceRequest {
  method: 'GET' | 'POST';
  /** Below the base path, without a query. */
  path: string;
  /** Undefined values are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: object;
  idempotencyKey?: string;
}

export interface ServiceAnswer {
  status: number;
  /** What the body says as JSON. */
  body: unknown;
  /** The header `Link`, which names the next page. */
  link?: string | null | undefined;
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

async function accepted(send: SendRequest, request: ServiceRequest): Promise<ServiceAnswer> {
  const answer = await send(request);
  const { status, body } = answer;
  if (status < 400) return answer;
  const { code = 'internal_error', detail = `The service answered with status ${status}.`, errors = [] } = body as Partial<ProblemView>;
  throw new Refused({ code, detail, errors });
}

export function addressOf({ path, query = {} }: ServiceRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
}

/** The content type is only named if there is a body. */
export const headersOf = ({ body, idempotencyKey }: ServiceRequest): Record<string, string> => ({
  accept: 'application/json',
  ...(body && { 'content-type': 'application/json' }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
});
