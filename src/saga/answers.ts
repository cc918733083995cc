import { answerPart, TOO_LARGE_TOGETHER, type Answer, type AnswerPart } from '@lib/messaging/saga-messages';

type Placed = [number, Answer<unknown>];

export type Refused = (place: number, answer: Answer<unknown>, bytes: number) => void;

const TOO_LARGE = { error: 'the answer is larger than a message may be', retryable: false } as const;

/**
 * Sends each answer as soon as it is known. Answers of one turn of the event loop travel together, as many as fit into a message.
 * @param refused called with an answer that fits into no message; its caller is sent a short refusal instead
 * @returns the last part, which the caller sends
 */
export function inParts(
  answers: readonly Promise<Answer<unknown>>[],
  say: (part: AnswerPart<unknown>) => void,
  maxBytes: number,
  refused: Refused = () => undefined,
): Promise<AnswerPart<unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<AnswerPart<unknown>>();
  let unknown = answers.length;
  let ready: Placed[] = [];
  const send = (): void => {
    const parts = split(ready, maxBytes, refused);
    ready = [];
    const last = unknown === 0 ? parts.pop() : undefined;
    try {
      parts.forEach((part) => say(answerPart(part)));
      if (last) resolve(answerPart(last));
    } catch (error) {
      reject(error);
    }
  };
  answers.forEach((answer, place) => {
    void answer.then((known) => {
      unknown -= 1;
      const isFirst = ready.push([place, known]) === 1;
      if (unknown === 0) send();
      else if (isFirst) setImmediate(send);
    }, reject);
  });
  return promise;
}

function split(answers: readonly Placed[], maxBytes: number, refused: Refused): Placed[][] {
  if (answers.length === 0) return [];
  if (maxBytes === Infinity) return [[...answers]];
  const parts: Placed[][] = [];
  let bytes = Infinity;
  for (const [place, answer] of answers) {
    const size = sizeInMessage(answer);
    if (bytes + size > maxBytes) {
      parts.push([]);
      bytes = 0;
    }
    bytes += size;
    if (size > maxBytes) refused(place, answer, size);
    parts.at(-1)?.push([place, size > maxBytes ? TOO_LARGE : answer]);
  }
  return parts;
}

/** For workers of an earlier build, which expect a single message: answers that do not fit are replaced by a request to ask again. */
export function fitting(answers: Answer<unknown>[], maxBytes: number): Answer<unknown>[] {
  if (maxBytes === Infinity) return answers;
  let bytes = 0;
  return answers.map((one, place) => {
    const size = sizeInMessage(one);
    if (place > 0 && bytes + size > maxBytes) return TOO_LARGE_TOGETHER;
    bytes += size;
    return one;
  });
}

/** Bytes of an answer in the message's JSON, with 12 for its index, brackets and comma. */
const sizeInMessage = (answer: Answer<unknown>): number => Buffer.byteLength(JSON.stringify(answer)) + 12;
