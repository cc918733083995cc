import { synthesizeWithSummary } from '@lib/synthesis/summary/summary';
import { findingsOf } from '@lib/synthesis/synthesize';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import fc from '../../support/properties';
import { reported } from '../steps';

const FEE = 'No fee is levied for handling the application itself.';
const PAID = 'Most universities want around 500 kroner from you before they even look at your papers.';
const ROOMS = 'Rooms in halls of residence are given out by lot.';
const CHANCE = 'Whether a student gets a bed is a matter of chance.';
const YEAR = 'Graduates may remain for one year in order to look for a job.';
const MONTHS = 'Graduates may remain for three months in order to look for a job.';
const FIRST = [FEE, ROOMS, YEAR];
const SECOND = [PAID, CHANCE, MONTHS, 'Rent in Bergen is high.'];
const QUERY = 'What must somebody from Chile know who wants to study in Norway?';
const inputOf = (first: readonly string[], second: readonly string[]): SynthesisInput => ({
  ...{ query: QUERY, mode: 'methodical', tier: 'M' },
  steps: [
    reported('provider-a', first.map((text) => `${text.slice(0, -1)} [1].`).join(' '), ['https://a.example/1']),
    reported('provider-b', second.map((text) => `${text.slice(0, -1)} [1].`).join(' '), ['https://b.example/2']),
  ],
});
const INPUT = inputOf(FIRST, SECOND);

type Pair = readonly [string, string];
const quotesOf = ([one, other]: Pair) => ({
  quotes: [
    { report: 'R1', quote: one },
    { report: 'R2', quote: other },
  ],
});
const proposed = (disputes: readonly Pair[], claims: readonly Pair[] = [], input = INPUT) =>
  verifyProposals(input, JSON.stringify({ claims: claims.map(quotesOf), disputes: disputes.map(quotesOf) }));
const reportWith = (accepted: ReturnType<typeof proposed>, input = INPUT): string =>
  synthesizeWithSummary(input, { reason: 'no summary is wanted.' }, accepted).markdown;
/** The place of a sentence in the report of a step. */
const sideOf = ({ steps }: SynthesisInput, at: number, text: string) => {
  const { stepId = '', reportMarkdown = '' } = steps[at] ?? {};
  const start = reportMarkdown.indexOf(text.slice(0, -1));
  return { stepId, start, end: start + text.length - 1, words: text };
};
const withoutMarks = (report: string): string => report.replaceAll(/ \([^()]*\)| ?\[\d\]/g, '');

describe('what a model says and the program can neither confirm nor refute', () => {
  it('shows the two sides of a contradiction in free wording beside each other, as the word of a model', () => {
    const accepted = proposed([[FEE, PAID]]);
    expect(accepted).toMatchObject({ disputes: [], refused: 1 });
    const report = withoutMarks(reportWith(accepted));
    expect(report).toMatch(/^1\. Most universities want [^\n]*\n +- Compare, a model sees a contradiction: No fee is levied/m);
    expect(report).toContain('or one denies what another says, or a model sees a contradiction: see “Perhaps contradicting each other”.');
    expect(report).toContain('1 other proposal of it could not be confirmed: what a model sees below is only its word.');
    expect(withoutMarks(reportWith(proposed([])))).not.toContain('a model');
  });

  it('shows what a model takes for an agreement beside each other, and does not trust it more', () => {
    const accepted = proposed([], [[ROOMS, CHANCE]]);
    expect(accepted).toMatchObject({ claims: [], refused: 1 });
    const report = reportWith(accepted);
    expect(withoutMarks(report)).toMatch(/Rooms in halls [^\n]*\n +- Compare, a model sees an agreement: Whether a student/);
    expect(findingsOf(INPUT, accepted).claims.map(({ confidence }) => confidence)).not.toContain('medium');
    expect(report).not.toContain('“Perhaps contradicting each other”');
  });

  it('shows what a model says of one sentence in one place, though the others have nothing in common', () => {
    const third = 'The state asks foreigners for a small sum with the form.';
    const input = { ...INPUT, steps: [...INPUT.steps, reported('provider-c', third, [])] };
    const quotes = [
      { report: 'R1', quote: FEE },
      { report: 'R3', quote: third },
    ];
    const accepted = verifyProposals(input, JSON.stringify({ disputes: [quotesOf([FEE, PAID]), { quotes }] }));
    const point = /^(?:- |\d\. )[^\n]*\n +- Compare[^\n]*\n +- Compare[^\n]*\n/m.exec(withoutMarks(reportWith(accepted, input)))?.[0];
    for (const said of [FEE, PAID, third]) expect(point).toContain(said);
  });

  it('sees a contradiction where a model says both', () => {
    const accepted = proposed([[FEE, PAID]], [[FEE, PAID]]);
    for (const unconfirmed of [accepted?.unconfirmed ?? [], accepted?.unconfirmed.toReversed() ?? []]) {
      const report = reportWith({ claims: [], disputes: [], unconfirmed, refused: 2 });
      expect(report).toContain('Compare, a model sees a contradiction');
      expect(report).not.toContain('a model sees an agreement');
    }
  });

  it('shows a remark of the program in place of the word of a model', () => {
    const [one, other]: Pair = ['Tuition at Bergen costs 4,000 euros a year.', 'At Bergen students pay 9,000 euros of tuition each year.'];
    const input = inputOf([one], [other]);
    const unconfirmed = [{ kind: 'contradiction', quotes: [one, other].map((text, at) => sideOf(input, at, text)) as never }] as const;
    const seen = { claims: [], disputes: [], unconfirmed: [...unconfirmed], refused: 1 };
    expect(reportWith(null, input)).toContain('Compare, figures differ');
    expect(reportWith(seen, input)).toContain('Compare, figures differ');
  });

  it('says what the program sees before it says what a model sees', () => {
    const disputed = proposed([], [[YEAR, MONTHS]]);
    expect(disputed?.unconfirmed).toEqual([]);
    const close: Pair = ['The old ferry crosses the strait in two hours.', 'The crossing of the strait takes that ferry two hours.'];
    const input = inputOf([close[0]], [close[1]]);
    expect(reportWith(proposed([], [close], input), input)).not.toContain('a model sees an agreement');
  });

  it.each<[string, Pair[], Pair[]]>([
    [
      'quotes of fewer than four words, which may stand anywhere',
      [['No fee', 'Most universities']],
      [['Rooms in halls', 'Whether a student']],
    ],
    [
      'a quote that no report has',
      [[FEE, 'Most universities want nothing from you.']],
      [[FEE, 'Most universities want nothing from you.']],
    ],
    ['words of one report under the name of the other', [[FEE, ROOMS]], [[PAID, CHANCE]]],
  ])('shows nothing of %s', (_, disputes, claims) => {
    const accepted = proposed(disputes, claims);
    expect(accepted).toMatchObject({ claims: [], disputes: [], unconfirmed: [], refused: 2 });
    expect(reportWith(accepted)).not.toContain('a model sees');
  });

  it('shows nothing of two reports of one provider', () => {
    const input = { ...INPUT, steps: INPUT.steps.map((step) => ({ ...step, provider: 'provider-a' as const })) };
    expect(proposed([[FEE, PAID]], [[ROOMS, CHANCE]], input)).toMatchObject({ claims: [], disputes: [], unconfirmed: [], refused: 2 });
  });

  it('shows no contradiction of what both say in the same words', () => {
    const input = inputOf([ROOMS], [ROOMS]);
    expect(proposed([[ROOMS, ROOMS]], [], input)).toMatchObject({ disputes: [], unconfirmed: [], refused: 1 });
  });

  it('shows no contradiction of what stands below headings that exclude each other', () => {
    const input = inputOf(
      [`## Public universities\n\n${FEE}`, `\n\n## Housing\n\n${ROOMS}`],
      [`## Private universities\n\n${PAID}`, `\n\n## Housing\n\n${CHANCE}`],
    );
    expect(proposed([[FEE, PAID]], [], input)).toMatchObject({ disputes: [], unconfirmed: [], refused: 1 });
  });

  it('refers to the claim that says the quoted words, if others rest on the same sentence', () => {
    const lake = 'The river Chagres was dammed to form Lake Gatun';
    const locks = 'It was George Goethals who persuaded Roosevelt to build locks in the canal';
    const input = inputOf(
      [`${lake}.`, 'It was John Stevens who chose locks.'],
      [`${locks}, for which the Chagres river was dammed to form Lake Gatun.`],
    );
    const dammed = 'the Chagres river was dammed to form Lake Gatun';
    const accepted = proposed([['It was John Stevens who chose locks.', locks]], [[`${lake}.`, dammed]], input);
    expect(accepted?.claims).toHaveLength(1);
    const report = withoutMarks(reportWith(accepted, input));
    expect(report).toMatch(
      /- In full: It was George Goethals[^\n]*\n +- Compare with provider-b above, a model sees a contradiction: It was John/,
    );
  });

  it('moves nothing that several providers say, and sets no provider against itself', () => {
    const input = inputOf([YEAR, FEE], [YEAR, PAID]);
    const accepted = proposed([[YEAR, PAID]], [], input);
    expect(accepted?.unconfirmed).toHaveLength(1);
    expect(reportWith(accepted, input)).not.toContain('a model sees a contradiction');
    const third = 'A ferry ran to the island until the war.';
    const all = { ...input, steps: [...input.steps, reported('provider-c', third, [])] };
    const quotes = [
      { report: 'R1', quote: YEAR },
      { report: 'R3', quote: third },
    ];
    const report = withoutMarks(reportWith(verifyProposals(all, JSON.stringify({ disputes: [{ quotes }] })), all));
    expect(report).toMatch(/^(?:- |\d\. )Graduates may remain[^\n]*\n +- Compare, a model sees a contradiction: A ferry/m);
    expect(report).toContain('## Agreed by several providers');
    expect(report).not.toContain('## Perhaps contradicting each other');
  });

  it('shows nothing of a proposal with a quote that no report has, and counts it apart', () => {
    const quotes = [
      { report: 'R1', quote: ROOMS },
      { report: 'R2', quote: CHANCE },
      { report: 'R1', quote: 'Rooms in Bergen are given out by nobody at all.' },
    ];
    const invented = verifyProposals(INPUT, JSON.stringify({ claims: [{ quotes }], disputes: [quotesOf([FEE, PAID])] }));
    expect(invented).toMatchObject({ refused: 2, unconfirmed: [{ kind: 'contradiction' }] });
    expect(reportWith(invented)).toContain('is only its word; 1 other proposal of it were refused.*');
  });

  it('changes no claim and loses none, whatever a model says', () => {
    const pairs = FIRST.flatMap((one) => SECOND.map((other): Pair => [one, other]));
    const claimsWith = (accepted: ReturnType<typeof proposed>) =>
      findingsOf(INPUT, accepted).claims.map(({ id, text, confidence, supporting, contradicting }) => {
        const [mine, theirs] = [supporting, contradicting].map((said) => said.map(({ stepId, start, end }) => [stepId, start, end]));
        return { id, text, confidence, mine, theirs };
      });
    const before = claimsWith(null);
    fc.assert(
      fc.property(fc.subarray(pairs), fc.subarray(pairs), (disputes, claims) => {
        const all = proposed(disputes, claims);
        if (!all) throw new Error('unreadable');
        const only = { ...all, claims: [], disputes: [] };
        expect(claimsWith(only)).toEqual(before);
        const report = withoutMarks(reportWith(only));
        for (const { text } of before) expect(report.split(text).length).toBeGreaterThan(1);
      }),
    );
  });
});
