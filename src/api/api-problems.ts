import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';

import { InsufficientBalanceProblemView, ProblemView } from './problem.view';
import { PROBLEMS, type ProblemCode } from './problems';

/** Problems that every authenticated route can return. */
const EVERYWHERE: readonly ProblemCode[] = [
  ...(['invalid_request', 'invalid_api_key', 'rate_limited', 'internal_error', 'corrupt_content', 'unavailable'] as const),
];
const WITH_BODY: readonly ProblemCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type'];

/** Of a request that may be repeated with an `Idempotency-Key`. */
const KEYED: readonly ProblemCode[] = ['idempotency_in_progress', 'idempotency_key_reused'];

/** Documents the problems of a route: one response for each status, with its possible codes. */
export function ApiProblems(...codes: ProblemCode[]): MethodDecorator {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return applyDecorators(
    ApiExtraModels(ProblemView, InsufficientBalanceProblemView),
    ...[...byStatus].map(([status, codesOfStatus]) => problemResponse(status, codesOfStatus)),
  );
}

/** Documents the problems of every route with a key, and the given ones. */
export const ApiRouteProblems = (...codes: ProblemCode[]): MethodDecorator => ApiProblems(...EVERYWHERE, ...codes);

/** Documents the problems of every route with a key that changes something, and the given ones. A body can be sent to any of them. */
export const ApiChangeProblems = (...codes: ProblemCode[]): MethodDecorator => ApiProblems(...EVERYWHERE, ...WITH_BODY, ...codes, ...KEYED);

function problemResponse(status: number, codes: ProblemCode[]): MethodDecorator {
  const examples = Object.fromEntries(codes.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleOf(code) }]));
  return ApiResponse({
    status,
    description: codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`).`).join(' '),
    ...headersOf(status, codes),
    content: {
      'application/problem+json': {
        schema: { $ref: getSchemaPath(status === 402 ? InsufficientBalanceProblemView : ProblemView) },
        examples,
      },
    },
  });
}

/** Problems that pass, beside those of the statuses 429 and 503. */
const PASSING = new Set<ProblemCode>(['idempotency_in_progress', 'deletion_not_signed']);

function headersOf(status: number, codes: readonly ProblemCode[]): Pick<ApiResponseOptions, 'headers'> {
  if (status === 401) return { headers: { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } } };
  if (status !== 429 && status !== 503 && !codes.some((code) => PASSING.has(code))) return {};
  const description = 'Seconds to wait, where waiting helps.';
  return { headers: { 'Retry-After': { description, schema: { type: 'integer' } } } };
}

function exampleOf(code: ProblemCode): ProblemView {
  const { status, title } = PROBLEMS[code];
  const detail = `${title}.`;
  return {
    type: `urn:research-threads:problem:${code}`,
    title,
    status,
    detail,
    instance: '/v1/threads',
    code,
    requestId: '5f0c1e0a-6c0e-4f57-9d9c-0d8a3c9b7a11',
    errors: code === 'invalid_request' ? [{ pointer: '/message', code: 'blank', message: 'message must not be blank.' }] : [],
    error: detail,
    ...(code === 'insufficient_balance' && { balanceCents: 340, requiredCents: 1500 }),
  };
}
