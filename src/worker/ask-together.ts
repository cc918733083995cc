import { envelope, readAnswers, type Answer } from '@lib/messaging/saga-messages';
import { RequestFailed, type Transport } from '@lib/messaging/transport';

/** One question on its way to the saga. Times are by `performance.now()`. */
export interface Question<Request> {
  request: Request;
  /** After this time an answer is of no use to the caller. */
  until: number;
  /** After this time an answer is no longer received. */
  deafAt: number;
}

/**
 * Sends questions in one message, to the first subject that has a responder.
 * @returns one promise per answer. Resolves once the first answer is there or `longestMs` have passed, so that the next message can be sent
 */
export async function askTogether<Request extends object, Reply>(
  transport: Transport,
  subjects: readonly string[],
  questions: readonly Question<Request>[],
  longestMs: number,
): Promise<Promise<Answer<Reply>>[]> {
  const now = performance.now();
  const answers = questions.map(() => Promise.withResolvers<Answer<Reply>>());
  const mayGoOn = Promise.withResolvers<void>();
  const timer = setTimeout(mayGoOn.resolve, longestMs);
  const fail = (error: unknown): void => {
    for (const { promise, reject } of answers) {
      promise.catch(() => undefined);
      reject(error);
    }
    mayGoOn.resolve();
  };
  const hear = (part: unknown): void => {
    try {
      for (const [place, answer] of readAnswers<Reply>(part, questions.length)) answers[place]?.resolve(answer);
      mayGoOn.resolve();
    } catch (error) {
      fail(error);
    }
  };
  const withinMs = questions.map(({ until }) => Math.max(0, Math.round(until - now)));
  // After a standstill even that time may be over, and timers take no negative one.
  const longestWaitMs = Math.max(0, ...questions.map(({ deafAt }) => deafAt - now));
  const message = envelope(
    questions.map(({ request }) => request),
    withinMs,
  );
  void requestFirst((subject) => transport.request(subject, message, Math.ceil(longestWaitMs), hear), subjects)
    .then(hear)
    .then(() => fail(new Error(`a message of ${questions.length} was not answered in full`)), fail);
  await mayGoOn.promise;
  clearTimeout(timer);
  return answers.map(({ promise }) => promise);
}

async function requestFirst(
  request: (subject: string) => Promise<unknown>,
  [subject = '', ...others]: readonly string[],
): Promise<unknown> {
  try {
    return await request(subject);
  } catch (error) {
    if (others.length === 0 || !(error instanceof RequestFailed) || error.reason !== 'no_responders') throw error;
    return requestFirst(request, others);
  }
}
