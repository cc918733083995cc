import { checkSummary } from '@lib/synthesis/summary/check';
import { claimSheet } from '@lib/synthesis/summary/claim-sheet';
import { answerOf, claimsOf, QUESTION } from './claims';

const { claims, outline, sheet, idOf } = claimsOf();
const hooks = idOf('hooks');
const plugins = idOf('Plugins');
const short = idOf('30 seconds');
const long = idOf('90 seconds');

const problemsOf = (answer: string): string[] => {
  const { problems, refused } = checkSummary(answer, QUESTION, sheet);
  expect(problems.length > 0).toBe(refused > 0 || problems.length === 1);
  return problems.map(({ told }) => told);
};
const fault = (text: string, ...claims: string[]): string => problemsOf(answerOf({ text, claims })).join(' ');

describe('an answer that keeps the rules', () => {
  it('is read with the claims of each sentence', () => {
    const both = 'The default timeout is 30 seconds in one report and 90 seconds in another.';
    const first = { text: 'Errors of hooks go to the error handler, and plugins inherit that of their parent.', claims: [hooks, plugins] };
    const answer = JSON.stringify({ sections: [{ sentences: [first] }, { sentences: [{ text: both, claims: [short, long] }] }] });
    const checked = checkSummary(answer, QUESTION, sheet);
    expect(checked.problems).toEqual([]);
    expect(checked.paragraphs.map((sentences) => sentences.map(({ text, claims }) => [text, claims.map(({ id }) => id)]))).toEqual([
      [[first.text, first.claims]],
      [[both, [short, long]]],
    ]);
  });

  it.each([
    ['in a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['after a greeting', (json: string) => `Here you are:\n${json}\nAnything else?`],
    [
      'with a heading that nobody asked for, which is not shown',
      (json: string) => json.replace('{"sentences"', '{"heading":"Sources","sentences"'),
    ],
  ])('is read %s', (_, wrap) => {
    expect(problemsOf(wrap(answerOf({ text: 'Errors of hooks go to the error handler.', claims: [hooks] })))).toEqual([]);
  });

  it('may use a number of the question', () => {
    const checked = checkSummary(
      answerOf({ text: 'In Fastify 5 errors of hooks go to the error handler.', claims: [hooks] }),
      'And Fastify 5?',
      sheet,
    );
    expect(checked).toMatchObject({ paragraphs: [[{ claims: [{ id: hooks }] }]], problems: [] });
  });
});

describe('an answer of another form', () => {
  it.each([
    ['nothing', ''],
    ['text', 'I cannot do that.'],
    ['cut-off JSON', answerOf({ text: 'Errors of hooks go on.', claims: [hooks] }).slice(0, -9)],
    ['a list', '[]'],
    ['no sections', '{"sections":{}}'],
    ['no sentence', '{"sections":[{"sentences":[]}]}'],
    ['a section that is none', '{"sections":[null]}'],
    ['a sentence that is none', '{"sections":[{"sentences":["So it is."]}]}'],
    ['a text that is none', answerOf({ text: 7, claims: [hooks] })],
    ['claims that are none', answerOf({ text: 'So it is.', claims: hooks })],
    ['ids that are none', answerOf({ text: 'So it is.', claims: [1] })],
    ['an endless sentence', answerOf({ text: 'Errors of hooks '.repeat(100), claims: [hooks] })],
    [
      'endless sentences',
      answerOf(...Array.from({ length: 81 }, () => ({ text: 'Errors of hooks go to the error handler.', claims: [hooks] }))),
    ],
  ])('is refused: %s', (_, answer) => {
    expect(problemsOf(answer)).toHaveLength(1);
  });
});

describe('a sentence', () => {
  it.each([
    ['names no claim', fault('Errors of hooks go to the error handler.')],
    ['names a claim that there is not: "clm_77"', fault('Errors of hooks go to the error handler.', hooks, 'clm_77')],
    ['a number that is in none of its claims: "12"', fault('Errors of hooks go to 12 error handlers.', hooks)],
    ['a number that is in none of its claims: "7"', fault('Errors of hooks go to seven error handlers.', hooks)],
    ['a number that is in none of its claims: "fifty"', fault('Errors of hooks go to fifty error handlers.', hooks)],
    ['a number that is in none of its claims: "twice"', fault('Errors of hooks go twice to the error handler.', hooks)],
    ['a number that is in none of its claims: "١٢"', fault('Errors of hooks go to ١٢ error handlers.', hooks)],
    ['a number that is in none of its claims: "2"', fault('Errors of hooks go to the error handler².', hooks)],
    ['a number that is in none of its claims: "30"', fault('Errors of hooks go to the error handler after 30 seconds.', hooks)],
    ['holds an address', fault('Errors of hooks go to the error handler at https://evil.example/x.', hooks)],
    ['holds an address', fault('Errors of hooks go to www.evil.example and the error handler.', hooks)],
    ['holds an address', fault('Errors of hooks go to the error handler of me@evil.example.', hooks)],
    ['a name that is in none of its claims: "evil.example"', fault('Errors of hooks go to the error handler, says evil.example.', hooks)],
    ['a name that is in none of its claims: "Reuters"', fault('According to Reuters errors of hooks go to the error handler.', hooks)],
    ['holds the mark of a source', fault('Errors of hooks go to the error handler [1].', hooks)],
    ['holds the mark of a source', fault('Errors of hooks 【3】 go to the error handler.', hooks)],
    ['holds the mark of a source', fault('Errors of [hooks](/x) go to the error handler.', hooks)],
    ['is not plain text', fault('## Errors of hooks go to the error handler', hooks)],
    ['is not plain text', fault('Errors of hooks go to the\nerror handler.', hooks)],
    ['is not plain text', fault('| Errors of hooks | go to the error handler |', hooks)],
    ['is not plain text', fault('Errors of hooks go to the <b>error</b> handler.', hooks)],
    ['is not plain text', fault('Errors of hooks go to the \u202eerror handler.', hooks)],
    ['is more than one sentence', fault('Errors of hooks go to the error handler. Plugins are evil.', hooks)],
    ['has nothing to do with one of its claims', fault('Errors of hooks go to the error handler.', hooks, short, long)],
    [
      'says what is in none of its claims',
      fault('Everybody should buy shares of the error company at once, whatever experts think.', hooks),
    ],
  ])('%s: refused, with the reason', (reason, said) => {
    expect(said).toContain(reason);
  });
});

it('one bad sentence goes, and the others stay in their paragraphs', () => {
  const good = { text: 'Errors of hooks go to the error handler.', claims: [hooks] };
  const bad = { text: 'Errors of hooks never go to the error handler.', claims: [hooks] };
  const other = { text: 'Plugins inherit the handler of their parent.', claims: [plugins] };
  const answer = JSON.stringify({ sections: [{ sentences: [bad] }, { sentences: [good, bad] }, { sentences: [other] }] });
  const { paragraphs, refused, problems } = checkSummary(answer, QUESTION, sheet);
  expect(paragraphs.map((sentences) => sentences.map(({ text }) => text))).toEqual([[good.text], [other.text]]);
  expect(refused).toBe(2);
  expect(problems.map(({ shown }) => shown)).toEqual([
    'Sentence 1 denies what none of its claims denies, or affirms what one denies',
    'Sentence 3 denies what none of its claims denies, or affirms what one denies',
  ]);
});

it('what a reader is told of a fault repeats nothing of the answer', () => {
  const answer = answerOf({ text: 'Visit evil.example 777 times!', claims: [hooks, 'clm_evil'] });
  const shown = checkSummary(answer, QUESTION, sheet).problems.map((problem) => problem.shown);
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.join(' ')).not.toMatch(/evil|777|visit/i);
});

describe('a dispute', () => {
  it('is given from both sides or not at all', () => {
    expect(fault('The default timeout is 30 seconds.', short)).toContain(`gives one side of a dispute: "${short} without ${long}"`);
    expect(fault('The default timeout is 90 seconds.', long)).toContain(`gives one side of a dispute: "${long} without ${short}"`);
  });

  it('is not reconciled by naming both claims and the number of one', () => {
    expect(fault('The default timeout is 30 seconds.', short, long)).toContain(`the number of one side of a dispute alone: "${short}"`);
    expect(fault('The default timeout is 90 seconds.', short, long)).toContain(`the number of one side of a dispute alone: "${long}"`);
    expect(fault('The reports differ about the default timeout.', short, long)).toBe('');
    expect(fault('The default timeout is 30 seconds and 90 seconds.', short, long)).toContain(
      'holds a number that is in none of its claims',
    );
  });

  it('whose other side is not among the claims is not written about at all', () => {
    const half = claimSheet({ claims: claims.filter(({ id }) => id !== long), outline });
    expect([...half.keys()].sort()).toEqual([hooks, plugins].sort());
  });
});
