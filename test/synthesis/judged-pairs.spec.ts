import type { ProviderId } from '@lib/domain/vocabulary';
import { synthesize } from '@lib/synthesis/synthesize';
import { judgedPairs, type JudgedPair } from '../../bench/judgement/examples';
import { reported, sectionOf } from './steps';

const LIKELY = 'Likely agreed, in other words';
const PROVIDERS: readonly ProviderId[] = ['provider-a', 'provider-b', 'provider-c'];

const reportOf = (...reports: string[]): string =>
  synthesize({
    query: 'What is known about the Arven valley?',
    mode: 'fast',
    tier: 'L',
    steps: reports.map((report, at) => reported(PROVIDERS[at] ?? 'provider-d', report, [])),
  }).markdown;

/** What else the two reports tell: how much a word tells depends on how many claims have it. */
const OTHERS = [
  'Ferries cross the lake twice a week. The mining company opened a school. Two museums show how whales were hunted. Sheep graze on the northern slopes.',
  'Visitors reach the valley by boat. Coal was shipped from the southern pier. A choir sings in the white church each Easter.',
] as const;
const together = (one: string, other: string): string => reportOf(`${one} ${OTHERS[0]}`, `${other} ${OTHERS[1]}`);
const leadOf = (one: string, other: string): string | undefined => /^ +- ([^:]*): /m.exec(together(one, other))?.[1];

describe('two claims in other words', () => {
  const FAILED = 'The moraine dam above the hotel failed in August 2019 and swept away four bridges.';

  it('are likely the same where words and figures suggest so, in a section of their own and never merged', () => {
    const markdown = together(FAILED, 'In August 2019 four bridges were lost as the moraine dam above the hotel gave way.');
    const said = `${sectionOf(markdown, 'Answer')}\n${sectionOf(markdown, LIKELY)}`;
    expect(said).toMatch(/moraine dam.*\(provider-[ab]; \w+\)\n +- Likely the same: .*moraine dam.*\(provider-[ab]; \w+\)/);
    expect(markdown).toContain(`## ${LIKELY}`);
    expect(markdown).not.toContain('## Agreed by several providers');
  });

  it.each([
    ['another figure', 'In August 2019 seven bridges were lost as the moraine dam above the hotel gave way.'],
    ['another year', 'In August 2016 four bridges were lost as the moraine dam above the hotel gave way.'],
    ['a denial', 'In August 2019 four bridges were lost, but the moraine dam above the hotel did not give way.'],
  ])('are not called the same with %s', (_, other) => {
    expect(leadOf(FAILED, other)).not.toBe('Likely the same');
  });

  it.each([
    ['names another place', 'Tolm', 'Ulm'],
    ['has an identifier that the other lacks', 'pier k100b', 'pier k200b'],
  ])('are not called the same if each %s', (_, mine, theirs) => {
    const one = `The moraine dam above the hotel failed in August 2019, and four bridges and two mills near ${mine} were swept away.`;
    const other = (last: string): string =>
      `In August 2019 four bridges and two mills near ${last} were lost as the moraine dam above the hotel gave way.`;
    expect(leadOf(one, other(mine))).toBe('Likely the same');
    expect(leadOf(one, other(theirs))).not.toBe('Likely the same');
  });

  it.each([
    ['The Kelm bank of Tolm was founded by a farmer in 1919.', 'The Kelm bank of Tolm was founded by a lawyer in 1919.'],
    ['Zelin lowers cholesterol by 20 %.', 'Zelin lowers glucose by 20 %.'],
  ])('are not called the same if one word of few is another: %s', (one, other) => {
    expect(leadOf(one, other)).toMatch(/^Compare/);
  });

  it('are not called the same if the same words are tied to each other otherwise', () => {
    const one = 'Most of the customers of the Tolm bank who closed their accounts in 2019 were students.';
    const other = 'Most of the students who were customers of the Tolm bank closed their accounts in 2019.';
    expect(leadOf(one, other)).toMatch(/^Compare/);
  });
});

describe('what one denies in a sentence and another says', () => {
  const NEVER = 'The owners of the hotel had never mended the moraine dam.';

  it('is told in nearly the same words', () => {
    expect(leadOf(NEVER, 'After the flood the army mended the moraine dam.')).toBe('Compare, one denies it');
  });

  it('is only compared in other words, which are mostly about something else', () => {
    const other = 'After the flood engineers from the capital mended the dam, a work which delayed the season of all hotels.';
    expect(leadOf(NEVER, other)).toBe('Compare');
  });
});

// What they say is in docs/confidence.md.
describe('beside what readers said of pairs', () => {
  const READ = ['tuning', 'tuning-2', 'natural-held-out-3', 'natural-held-out-6'];
  const shareOf = (pairs: readonly JudgedPair[], ...said: JudgedPair['judged'][]): number =>
    pairs.filter(({ judged }) => said.includes(judged)).length / pairs.length;
  let unread: readonly JudgedPair[];
  let marked: readonly JudgedPair[];

  beforeAll(async () => {
    const pairs = await judgedPairs(['natural-held-out-11', ...READ]);
    unread = pairs.filter(({ set }) => set === 'natural-held-out-11');
    marked = pairs.filter((pair) => pair.marked && !unread.includes(pair));
  });

  it('what is likely the same is the same for 94 of 100', () => {
    const likely = unread.filter(({ shown }) => shown === 'likely the same');
    expect(likely.length).toBeGreaterThan(100);
    expect(shareOf(likely, 'same')).toBeGreaterThan(0.94);
  });

  it('one line in ten at most that is only compared is about something else', () => {
    const compared = unread.filter(({ shown }) => shown === 'compare');
    expect(compared.length).toBeGreaterThan(400);
    expect(shareOf(compared, 'same topic') + shareOf(compared, 'other')).toBeLessThan(0.1);
  });

  it('of what rules take for contradictions, what is not told is so far less often than what is', () => {
    const [told, untold] = [true, false].map((isTold) => marked.filter(({ shown }) => (shown === 'may conflict') === isTold));
    expect(untold?.length).toBeGreaterThan(8);
    expect(shareOf(untold ?? [], 'contradict')).toBeLessThan(shareOf(told ?? [], 'contradict') - 0.3);
  });
});
