import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

import { DomainError, InsufficientBalance, LimitReached } from '@lib/domain/errors';
import { DeletionNotListed } from '@lib/store/deletions/deletion-list';
import { CorruptHistory } from '@lib/store/history/corrupt-history';
import { UnknownEvent } from '@lib/store/history/upcasters';
import { Unsealable } from '@lib/store/sealing/seal';
import { RequestUnderWay } from '@lib/store/requests/idempotent-requests';
import { asStoreError, StoreBusy, StoreUnavailable, wasUndone } from '@lib/store/postgres/store-unavailable';
import { framesOf } from '../runtime/stack-frames';
import { idempotencyKeyOf } from './idempotency-key';
import type { ProblemView } from './problem.view';
import { Problem, PROBLEMS, type ProblemCode, type Violation } from './problems';

const RETRY_AFTER_SECONDS = '5';

interface Refusal {
  code: ProblemCode;
  detail: string;
  violations?: readonly Violation[];
  headers?: Readonly<Record<string, string>>;
  /** What the problem has beside the members of every problem. */
  members?: Readonly<Record<string, number>>;
  /** For the log, where the code says too little. */
  reason?: string;
}

/** @param reason the code of the answer */
export type TellAlerted = (reason: 'corrupt_content') => void;

/** Turns errors of handlers, the parser and the router into problem details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly alerted?: TellAlerted,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (request.raw.destroyed && isHangUp(error)) {
      this.logger.info({ requestId: request.id, reason: 'client_gone' }, 'the client hung up before its request had arrived');
      return sendProblem(http.getResponse<FastifyReply>(), request, { code: 'invalid_request', detail: 'The request ended too early.' });
    }
    const told = refusalOf(error);
    const refusal = told === unavailable && makesAnotherOne(request) ? mayBeDone : told;
    logRefusal(this.logger, request, error, refusal);
    if (refusal.code === 'corrupt_content') this.alerted?.(refusal.code);
    sendProblem(http.getResponse<FastifyReply>(), request, refusal);
  }
}

/** What an operator should know of a request that failed. */
function logRefusal(logger: Logger, request: FastifyRequest, error: unknown, refusal: Refusal): void {
  if (error instanceof Unsealable || error instanceof CorruptHistory)
    logger.error(
      { requestId: request.id, reason: refusal.code, alert: true, of: error.of, ...traceOf(error) },
      'stored content cannot be opened: restore it from a backup',
    );
  if (refusal.code === 'internal_error') logger.error({ requestId: request.id, reason: refusal.code, ...traceOf(error) }, 'request failed');
  const { code, reason = code } = refusal;
  if (code === 'unavailable') logger.warn({ requestId: request.id, reason, ...traceOf(error) }, 'request refused');
}

/** The beginning of an answer was sent when the rest of it failed: its connection ends, which tells the client. */
export function tellBrokenAnswer(logger: Logger, alerted: TellAlerted | undefined, request: FastifyRequest, error: Error): void {
  const refusal = refusalOf(error);
  logRefusal(logger, request, error, refusal);
  if (refusal.code === 'corrupt_content') alerted?.(refusal.code);
}

export function sendProblem(reply: FastifyReply, request: FastifyRequest, refusal: Refusal): void {
  const body = problemBody(refusal, request.id, request.url);
  // Fastify would close the connection while the client is still sending, and some clients would not see the response. Without the
  // header, the rest of the body is read and dropped, within the time limit of a request.
  if (refusal.code === 'payload_too_large') reply.removeHeader('connection');
  void reply
    .code(body.status)
    .headers({ ...refusal.headers })
    .type('application/problem+json')
    .send(JSON.stringify(body));
}

export function problemBody({ code, detail, violations, members }: Refusal, requestId: string, url: string): ProblemView {
  const { status, title } = PROBLEMS[code];
  const [instance = '/'] = url.split('?', 1);
  const type = `urn:research-threads:problem:${code}`;
  return { type, title, status, detail, instance, code, requestId, errors: violations ?? [], error: detail, ...members };
}

/** Whether repeating the request would create a second one of what it asks for. */
export const makesAnotherOne = (request: FastifyRequest): boolean => request.method === 'POST' && idempotencyKeyOf(request) === null;

const isHangUp = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'ECONNRESET';

/** The refusal for a thrown value. Anything unexpected is an internal error without details. */
export function refusalOf(thrown: unknown): Refusal {
  // Some statements are not behind the store's own conversion, such as those of the log; their outage is no fault of the service either.
  const error = asStoreError(thrown);
  if (error instanceof Problem) return error;
  if (error instanceof LimitReached)
    return {
      code: error.code,
      detail: error.detail ?? '',
      headers: error.isTemporary ? { 'retry-after': String(error.waitSeconds ?? RETRY_AFTER_SECONDS) } : {},
    };
  if (error instanceof InsufficientBalance) {
    const { code, message: detail, balanceCents, requiredCents } = error;
    return { code, detail, members: { balanceCents, requiredCents } };
  }
  if (error instanceof DomainError) return { code: error.code, detail: error.detail ?? `${PROBLEMS[error.code].title}.` };
  if (error instanceof StoreBusy) return busy;
  if (error instanceof DeletionNotListed) return notListed;
  if (wasUndone(error)) return undone;
  if (error instanceof StoreUnavailable) return unavailable;
  if (error instanceof RequestUnderWay) return underWay;
  if (error instanceof UnknownEvent) return newerHistory;
  if (error instanceof Unsealable || error instanceof CorruptHistory) return corruptContent(error.of);
  if (error instanceof HttpException) return refusalOfFramework(error);
  return internalError;
}

const internalError: Refusal = { code: 'internal_error', detail: 'The service failed; the request id finds the reason in its logs.' };
const unavailable: Refusal = {
  code: 'unavailable',
  detail: 'The service cannot reach its database at the moment; repeat the request later.',
  headers: { 'retry-after': RETRY_AFTER_SECONDS },
};

/** The database says that nothing of it was kept, so also what makes another one may be repeated without looking. */
const undone: Refusal = {
  ...unavailable,
  detail: 'The database undid this for the sake of other work, so it is not done; repeat the request.',
  reason: 'undone',
};

/** The commit may have succeeded even though its answer came too late or never. */
const mayBeDone: Refusal = {
  ...unavailable,
  detail:
    'The service cannot reach its database at the moment. It may have done what was asked: see whether it has before you repeat the request. ' +
    'With an Idempotency-Key a request can be repeated without looking.',
};

const underWay: Refusal = {
  code: 'idempotency_in_progress',
  detail: 'A request with the same Idempotency-Key is still under way: repeat the request to get its answer.',
  headers: { 'retry-after': '1' },
};
const corruptContent = (of: string): Refusal => ({
  code: 'corrupt_content',
  detail: `The stored content of ${of} cannot be opened. Repeating the request does not help; the operator was alerted and finds it in the logs.`,
});
const newerHistory: Refusal = {
  code: 'unavailable',
  detail: 'A newer build of the service has worked on this, and has to answer: repeat the request.',
  headers: { 'retry-after': RETRY_AFTER_SECONDS },
};
const notListed: Refusal = {
  ...unavailable,
  detail:
    'The deletion cannot be recorded outside the database at the moment, so it is not done; the operator was alerted: repeat the request later.',
};
const busy: Refusal = { ...unavailable, detail: 'More requests wait than can be answered in time; repeat the request later.' };

/** Nest wraps errors of Fastify's parser and router in the same type as its own, such as an unknown route. */
function refusalOfFramework(error: HttpException): Refusal {
  switch (error.getStatus()) {
    case 400:
      return { code: 'invalid_request', detail: 'The request is malformed.' };
    case 404:
      return { code: 'not_found', detail: 'There is nothing at this address.' };
    case 413:
      return { code: 'payload_too_large', detail: 'The body is larger than 1 MiB (1048576 bytes); send less.' };
    case 415:
      return { code: 'unsupported_media_type', detail: 'The body must be JSON, with the header Content-Type: application/json.' };
    default:
      return internalError;
  }
}

/** The stack of an error without its message, which may hold content. */
function traceOf(error: unknown): object {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const cause = error.cause instanceof Error ? { cause: traceOf(error.cause) } : {};
  return { errorName: error.name, errorCode: 'code' in error ? error.code : undefined, stack: framesOf(error)?.join('\n'), ...cause };
}
