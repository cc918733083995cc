import type { Answer, AnswerPart } from '@lib/messaging/saga-messages';
import { fitting, inParts } from '../../src/saga/answers';

type Known = Answer<unknown>;
const reply = (text: string): Known => ({ reply: text });
/** As it stands in a message: with its place and brackets. */
const sizeOf = (answer: Known): number => Buffer.byteLength(JSON.stringify(answer)) + 12;
const TOO_LARGE = { error: 'the answer is larger than a message may be', retryable: false };
const AGAIN = { error: 'too_large_together', retryable: true };
const turn = () => new Promise((next) => setImmediate(next));

/** Answers that are told later, and what was said of them so far, the last part included once it has come. */
function telling(count: number, maxBytes = Infinity) {
  const answers = Array.from({ length: count }, () => Promise.withResolvers<Known>());
  const said: [number, Known][][] = [];
  const hear = ({ answers: part }: AnswerPart<unknown>) => void said.push(part);
  const ended = inParts(
    answers.map(({ promise }) => promise),
    hear,
    maxBytes,
  ).then(hear);
  return { tell: (place: number, answer: Known) => answers[place]?.resolve(answer), fail: answers[0]?.reject, said, ended };
}

describe('the answers of a message', () => {
  it('are said as soon as they are known, those of one turn together, and the last part ends it', async () => {
    const { tell, said, ended } = telling(4);
    tell(2, reply('c'));
    tell(0, reply('a'));
    await turn();
    await turn();
    expect(said).toEqual([
      [
        [2, reply('c')],
        [0, reply('a')],
      ],
    ]);
    tell(3, reply('d'));
    await turn();
    await turn();
    expect(said).toHaveLength(2);
    tell(1, reply('b'));
    await ended;
    expect(said.slice(1)).toEqual([[[3, reply('d')]], [[1, reply('b')]]]);
  });

  it('are one part where all are known at once', async () => {
    const { tell, said, ended } = telling(2);
    tell(0, reply('a'));
    tell(1, reply('b'));
    await ended;
    await turn();
    expect(said).toEqual([
      [
        [0, reply('a')],
        [1, reply('b')],
      ],
    ]);
  });

  it('are said in as many parts as a message needs, and no fuller', async () => {
    const one = reply('x'.repeat(100));
    const { tell, said, ended } = telling(5, 2 * sizeOf(one));
    for (let place = 0; place < 5; place += 1) tell(place, one);
    await ended;
    expect(said.map((part) => part.map(([place]) => place))).toEqual([[0, 1], [2, 3], [4]]);
  });

  it('of which one is larger than a message are said without it, and it is told so', async () => {
    const small = reply('a');
    const large = reply('x'.repeat(1_000));
    const { tell, said, ended } = telling(3, 500);
    tell(0, small);
    tell(1, large);
    tell(2, small);
    await ended;
    expect(said.flat()).toEqual([
      [0, small],
      [1, TOO_LARGE],
      [2, small],
    ]);
    const exact = telling(1, sizeOf(large));
    exact.tell(0, large);
    await exact.ended;
    expect(exact.said).toEqual([[[0, large]]]);
  });

  it('fail where one of them does, or where nothing can be said', async () => {
    const failing = telling(2);
    failing.fail?.(new Error('broken'));
    await expect(failing.ended).rejects.toThrow('broken');
    const answers = [Promise.resolve(reply('a')), new Promise<Known>(() => undefined)];
    const mute = inParts(
      answers,
      () => {
        throw new Error('disconnected');
      },
      Infinity,
    );
    await expect(mute).rejects.toThrow('disconnected');
  });
});

describe('the answers to a worker that hears one message', () => {
  const answers = [reply('x'.repeat(100)), reply('y'.repeat(100)), reply('z')];

  it('are all of them where no message is too large', () => {
    expect(fitting(answers, Infinity)).toBe(answers);
    const size = answers.reduce((sum, answer) => sum + sizeOf(answer), 0);
    expect(fitting(answers, size)).toEqual(answers);
  });

  it('are those that fit, and the first in any case; the others are to be asked for again', () => {
    const [first, second, third] = answers as [Known, Known, Known];
    expect(fitting(answers, sizeOf(first) + sizeOf(third))).toEqual([first, AGAIN, third]);
    expect(fitting(answers, sizeOf(first) + sizeOf(second))).toEqual([first, second, AGAIN]);
    expect(fitting(answers, 1)).toEqual([first, AGAIN, AGAIN]);
  });
});
