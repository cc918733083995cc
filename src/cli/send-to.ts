import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProblemView } from '../api/problem.view';
import {
  addressOf,
  headersOf,
  NOT_MODIFIED,
  toldByHeaders,
  type SendRequest,
  type ServiceAnswer,
  type ServiceRequest,
} from '../mcp/service-client';

/** The service that a client was told of. */
export interface ServiceOfClient {
  /** With its base path. */
  address: string;
  key: string;
  /** The variable or file that the key is read from. */
  keySource: string;
}

/** An answer may be slow, but none takes longer. */
const ANSWERED_WITHIN_MS = 60_000;
/** A request that is still under way gets more tries than one without an answer: with their pauses they cover more than a minute. */
const PATIENCE = { tries: 3, triesUnderWay: 12, pauseMs: 1_000 };

/**
 * Repeats a request that got no answer, or the answer that the previous try is still under way. Its Idempotency-Key keeps it from being carried out
 * twice. If there is never an answer, or only errors of the service, the model is told the key, because otherwise it would repeat the call with a
 * new one and pay twice.
 */
export function sendTo(service: ServiceOfClient, leaving: AbortSignal, patience = PATIENCE): SendRequest {
  return async (given) => {
    const request = given.method === 'POST' ? { idempotencyKey: randomUUID(), ...defined(given) } : given;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await sendOnce(service, request, leaving);
      const isUnderWay = answer !== null && isStillUnderWay(answer);
      if (answer !== null && answer.status < 500 && !isUnderWay) return inTermsOfSettings(answer, service, request);
      const isLast = attempt >= (isUnderWay ? patience.triesUnderWay : patience.tries) || leaving.aborted;
      if (isLast) return isUnderWay ? underWay(answer, request) : answer ? failed(answer, request) : unreachable(service.address, request);
      await sleep(patience.pauseMs * attempt);
    }
  };
}

const defined = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, given]) => given !== undefined)) as Value;

/** Null if there was no answer. */
async function sendOnce({ address, key }: ServiceOfClient, request: ServiceRequest, leaving: AbortSignal): Promise<ServiceAnswer | null> {
  try {
    const response = await fetch(address + addressOf(request), {
      method: request.method,
      headers: { authorization: `Bearer ${key}`, ...headersOf(request) },
      ...(request.body && { body: JSON.stringify(request.body) }),
      signal: AbortSignal.any([leaving, AbortSignal.timeout(ANSWERED_WITHIN_MS)]),
      // A redirect would take the key elsewhere.
      redirect: 'error',
    });
    const body: unknown = response.status === NOT_MODIFIED ? null : await response.json();
    return { status: response.status, body, ...toldByHeaders((name) => response.headers.get(name)) };
  } catch {
    return null;
  }
}

/** Whoever calls a tool has no part in the key and the address: what is wrong with them is told in terms of the settings that they come from. */
function inTermsOfSettings(answer: ServiceAnswer, { address, keySource }: ServiceOfClient, { path }: ServiceRequest): ServiceAnswer {
  const { code } = (answer.body ?? {}) as Partial<ProblemView>;
  const told = (detail: string): ServiceAnswer => ({ ...answer, body: { ...(answer.body as object), detail } });
  if (answer.status === 401)
    return told(`${address} refuses the key in ${keySource}: set API_KEY to a key of that service, and start \`research mcp\` again.`);
  if (answer.status === 404 && (code === undefined || code === 'not_found'))
    return told(
      `There is nothing at ${address}${path}: start \`research mcp\` again with the address of the service in --url, and with its BASE_PATH if it has one.`,
    );
  return answer;
}

const isStillUnderWay = ({ status, body }: ServiceAnswer): boolean =>
  status === 409 && (body as Partial<ProblemView> | null)?.code === 'idempotency_in_progress';

const underWay = ({ status, body }: ServiceAnswer, request: ServiceRequest): ServiceAnswer => ({
  status,
  body: { ...(body as object), detail: `The service still works on this call: call the tool again${withItsKey(request)}.` },
});

/** A service that failed may have carried it out all the same. */
function failed({ body, ...answer }: ServiceAnswer, request: ServiceRequest): ServiceAnswer {
  const key = withItsKey(request);
  if (key === '') return { ...answer, body };
  const { detail = 'The service failed.' } = body as Partial<ProblemView>;
  return { ...answer, body: { ...(body as object), detail: `${detail} If you call the tool again, then${key.slice(1)}.` } };
}

const unreachable = (address: string, request: ServiceRequest): ServiceAnswer => ({
  status: 503,
  body: {
    code: 'unavailable',
    detail: `No research-threads service answers at ${address}: start it, or name another one with --url, and call the tool again${withItsKey(request)}.`,
  },
});

/** A request with a body starts a job; its tools take the key. */
const withItsKey = ({ body, idempotencyKey }: ServiceRequest): string =>
  body && idempotencyKey !== undefined ? `, with idempotencyKey ${idempotencyKey}, so that no second job is started and paid` : '';
