import { readingOf } from '@lib/language/reading/read-text';
import { titleOf } from '@lib/synthesis/report/topic-title';
import { BUDGET_TIERS, type BudgetTier, type ProviderId, type ResearchMode } from '@lib/domain/vocabulary';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';
import { failed, marksOf, reported, sectionOf, synthesisOf } from './steps';

const A = 'https://a.example/page';
const B = 'https://b.example/page';

describe('the report', () => {
  const steps = [
    reported(
      'provider-a',
      'Errors of hooks go to the error handler [1]. The default timeout is 30 seconds [2]. Plugins inherit the handler of their parent [2].',
      [A, 'https://c.example/x'],
    ),
    reported('provider-b', 'Errors of hooks go to the error handler [1]. The default timeout is 90 seconds [1].', [B]),
    failed('provider-c', 'the service was overloaded'),
    failed('provider-d', 'the budget did not allow it', 'skipped'),
  ];

  it('answers first, then says what is agreed, disputed, said by one alone, missing, worth asking next, and its sources', () => {
    const { markdown } = synthesisOf(...steps);
    expect(markdown.match(/^## .*$/gm)).toEqual([
      '## Answer',
      '## Agreed by several providers',
      '## Disputed',
      '## Not matched with another report',
      '## What is missing',
      '## Worth pursuing next',
      '## Sources',
    ]);
    expect(markdown).toContain('1. Errors of hooks go to the error handler. [1][2] (provider-a, provider-b; high)\n');
    expect(markdown).toContain('The reports contradict each other on 1 point: see “Disputed”.\n');
    expect(markdown).toContain('\n\n*low, medium, high: how many independent sources stand behind a claim, not how likely it is.*\n\n');
    expect(sectionOf(markdown, 'Agreed by several providers')).toBe('Point 1 of the answer.');
    expect(sectionOf(markdown, 'Not matched with another report')).toBe(
      'The comparison saw these in one report only. It misses what another says in quite different words.\n\n- Plugins inherit the handler of their parent. [3] (provider-a; low)',
    );
    expect(markdown).toContain(`- [2] [\`${B}\`](<${B}>) (provider-b)`);
  });

  it('shows both sides of a dispute once, each with its words, sources and providers, and reconciles nothing', () => {
    const { markdown } = synthesisOf(...steps);
    const disputed = sectionOf(markdown, 'Disputed');
    expect(disputed).toContain('“The default timeout is 30 seconds.” [3] (provider-a)');
    expect(disputed).toContain('“The default timeout is 90 seconds.” [2] (provider-b)');
    expect(disputed).toMatch(/\| the amount \|$/);
    expect(disputed.match(/“/g)).toHaveLength(2);
    expect(sectionOf(markdown, 'Answer')).not.toContain('default timeout');
  });

  it('shows once what several say against a claim in the same words', () => {
    const says = (provider: ProviderId, seconds: number) => reported(provider, `The default timeout is ${String(seconds)} seconds.`, []);
    const { markdown } = synthesisOf(says('provider-a', 30), says('provider-b', 90), says('provider-c', 90), says('provider-d', 45));
    const rows = sectionOf(markdown, 'Disputed').split('\n').slice(2);
    expect(rows).toEqual([expect.stringMatching(/90 seconds\.” \(provider-b, provider-c\) \| .*30 seconds.* or .*45 seconds/)]);
    expect(sectionOf(markdown, 'Answer')).toContain('on 1 point: see');
  });

  it('says in the answer what is disputed of what was asked, and puts it first in the table', () => {
    const sides = [
      'Errors are logged at level 50. Bodies of up to 1 MB are read. The default timeout is 30 seconds.',
      'Errors are logged at level 40. Bodies of up to 2 MB are read. The default timeout is 90 seconds.',
    ] as const;
    const { markdown, followOnTopics } = synthesize({
      query: 'What is the default timeout?',
      mode: 'fast',
      tier: 'XXS',
      steps: [reported('provider-a', sides[0], []), reported('provider-b', sides[1], [])],
    });
    const [closest = ''] = sectionOf(markdown, 'Disputed').split('\n').slice(2);
    expect(closest).toContain('30 seconds');
    expect(followOnTopics[0]?.topic).toContain('30 seconds');
    expect(sectionOf(markdown, 'Answer').split('\n').slice(-3)).toEqual([
      'The reports contradict each other on 3 points: see “Disputed”. Closest to what was asked:',
      '',
      '- “The default timeout is 30 seconds.” (provider-a) or “The default timeout is 90 seconds.” (provider-b)',
    ]);
  });

  it.each<[string, Partial<SynthesisStep>, string]>([
    [
      'the budget',
      { status: 'skipped', failure: 'budget', errorMessage: 'Skipped: 50 cents are needed.' },
      '— Skipped: 50 cents are needed.',
    ],
    ['the deadline', { status: 'failed', failure: 'deadline', errorMessage: 'Stopped: 2 minutes.' }, '— Stopped: 2 minutes.'],
    ['a cancellation', { status: 'failed', failure: 'cancelled', errorMessage: 'Stopped: cancelled.' }, '— Stopped: cancelled.'],
    ['its provider', { status: 'failed', failure: 'auth', errorMessage: 'key *refused*' }, 'failed (auth): key \\*refused\\*'],
  ])('says of a step that it was ended by %s', (_, ending, told) => {
    const { markdown } = synthesisOf(...steps, { ...failed('provider-e', ''), ...ending });
    expect(sectionOf(markdown, 'What is missing').split('\n')).toContain(`- provider-e ${told}`);
  });

  it('keeps both ends of a long reason: what the provider said, and why nothing was tried again', () => {
    const errorMessage = `The provider said no: ${'very '.repeat(200)}sorry. Not tried again: no money was left.`;
    const { markdown } = synthesisOf(...steps, { ...failed('provider-e', ''), status: 'failed', failure: 'overloaded', errorMessage });
    const told = sectionOf(markdown, 'What is missing').split('\n').at(-1) ?? '';
    expect(told).toMatch(/^- provider-e failed \(overloaded\): The provider said no: .* … .* Not tried again: no money was left\.$/);
    expect(told.length).toBeLessThan(500);
  });

  it('shows the topics that were followed as a tree, with what came of each and why it ended', () => {
    const [first, second] = steps;
    if (!first || !second) throw new Error('two steps are given above');
    const topic = (number: number, parent: number | null) => ({
      ...{ topic: number, parent },
      text: `topic ${String(number)}`,
      rationale: `Reason ${String(number)}.`,
    });
    const about = (step: SynthesisStep, stepId: string, explored: ReturnType<typeof topic>) => ({ ...step, stepId, topic: explored });
    const { markdown } = synthesize({
      ...{ query: 'q', mode: 'fast', tier: 'L', explorationStop: 'rounds' },
      steps: [
        ...steps,
        about(reported('provider-a', 'The gauge was made in 1871 by Ida Holm [1].', [A]), 'stp_x', topic(1, null)),
        about(failed('provider-b', 'gone'), 'stp_y', topic(2, 1)),
      ],
    });
    expect(sectionOf(markdown, 'Topics followed')).toBe(
      [
        '- “topic 1”, asked of provider-a: 1 claim rests on it. Reason 1.',
        '  - “topic 2”, asked of provider-b: 0 claims rest on it. Reason 2.',
        '',
        'More rounds are not made.',
      ].join('\n'),
    );
    expect(sectionOf(markdown, 'What is missing')).toContain('- provider-b on “topic 2” failed');
    expect(synthesisOf(...steps).markdown).not.toContain('Topics followed');
  });

  it('answers with what those say who were asked the question, not with what a topic brought up', () => {
    const topic = { topic: 1, parent: null, text: 'gauges', rationale: 'Mentioned.' };
    const aside = {
      ...reported('provider-a', 'The default timeout of hooks is set by the gauge of errors [1].', [A]),
      stepId: 'stp_x',
      topic,
    };
    const { markdown } = synthesisOf(reported('provider-b', 'Errors of hooks go to the error handler [1].', [B]), aside);
    expect(sectionOf(markdown, 'Answer')).not.toContain('gauge');
    expect(markdown).toContain('gauge of errors');
  });

  it('says of a report that it was cut', () => {
    const [first, second] = steps;
    if (!first || !second) throw new Error('two steps are given above');
    const { markdown } = synthesisOf({ ...first, truncated: true }, second);
    expect(sectionOf(markdown, 'What is missing')).toMatch(/^- provider-a reported more than a message may hold/);
  });

  it('shows all that is recorded, which the tier and the mode bound, and sorts by topic what has no room above', () => {
    const subjects = ['error handler', 'session cookie', 'request logger', 'route prefix'];
    const sentences = subjects.flatMap((subject) =>
      ['reads', 'writes', 'drops', 'keeps', 'moves', 'sends'].map(
        (verb, at) => `The ${subject} ${verb} ${subject} entry number ${String(at * 7)} [1].`,
      ),
    );
    const step = reported('provider-a', sentences.join(' '), [A]);
    const lengthOf = (tier: BudgetTier, mode: ResearchMode): number =>
      synthesize({ query: 'What does a server do?', tier, mode, steps: [step] }).markdown.match(/ entry number /g)?.length ?? 0;
    const fast = BUDGET_TIERS.map((tier) => lengthOf(tier, 'fast'));
    const methodical = BUDGET_TIERS.map((tier) => lengthOf(tier, 'methodical'));
    expect(fast).toEqual(fast.toSorted((a, b) => a - b));
    expect(methodical).toEqual(methodical.toSorted((a, b) => a - b));
    for (const [place, lines] of methodical.entries()) expect(lines).toBeGreaterThanOrEqual(fast[place] ?? 0);
    expect(fast.slice(0, 2)).toEqual([20, 24]);
    const { markdown } = synthesize({ query: 'What does a server do?', tier: 'XL', mode: 'methodical', steps: [step] });
    expect(sectionOf(markdown, 'More by topic')).toMatch(/^### (?:Error handler|Session cookie|Request logger|Route prefix)/);
  });

  it('has no part without content, and says no claim twice outside of the disputes', () => {
    for (const given of [steps, steps.slice(0, 1), steps.slice(2), []]) {
      const { markdown } = synthesisOf(...given);
      for (const part of markdown.split(/^##+ .*$/m).slice(1)) expect(part.trim()).not.toBe('');
      const lines = markdown.split('\n').filter((line) => /^(?:- |\d+\. )/.test(line));
      expect(new Set(lines).size).toBe(lines.length);
    }
  });

  it('lists exactly the sources that its marks name, numbered as they appear', () => {
    const { used, listed } = marksOf(synthesisOf(...steps).markdown);
    expect(listed).toEqual([1, 2, 3]);
    expect([...new Set(used)].sort()).toEqual(listed);
  });

  it('gives one source one number, whoever returned it', () => {
    const page = 'https://www.a.example/page/#part';
    const { markdown } = synthesisOf(
      reported('provider-a', 'Errors of hooks go to the error handler [1].', [A]),
      reported('provider-b', 'Errors of hooks go to the error handler [1].', [page]),
    );
    expect(marksOf(markdown).listed).toEqual([1]);
    expect(markdown).toContain('handler. [1] (');
    expect(markdown).toContain('(provider-a, provider-b)');
  });

  it('says so when there is nothing to claim', () => {
    const { markdown, claims } = synthesisOf(
      reported('provider-a', 'The documents do not answer this question.', []),
      failed('provider-b', 'timed out'),
    );
    expect(claims).toEqual([]);
    expect(markdown).toContain('No answer: nothing in the report answers the question.');
    expect(markdown).toContain('provider-b failed (unavailable): timed out');
    expect(markdown).not.toContain('## Sources');
  });

  it('takes no claim from a failed step, which changes no claim', () => {
    const [first, second] = steps;
    if (!first || !second) throw new Error('two steps are given above');
    const { claims } = synthesisOf(first, second);
    expect(synthesisOf(...steps).claims).toEqual(claims);
  });
});

it('shows once what two providers say in the same words of something that nobody can place', () => {
  const mill = 'The mill closed in 1920 after a fire [1].';
  const steps = [reported('provider-a', mill, [A]), reported('provider-b', mill, [B])];
  const { markdown, claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
  expect(claims.map(({ confidence, supporting }) => [confidence, supporting.length])).toEqual([
    ['low', 1],
    ['low', 1],
  ]);
  expect(markdown.match(/The mill closed.*/g)).toEqual([
    'The mill closed in 1920 after a fire. [1][2] (provider-a, provider-b, perhaps of different things; low)',
  ]);
  // The answer names them by its number: they are said by one provider only if the two speak of two mills.
  expect(sectionOf(markdown, 'Perhaps on the same point, from several providers')).toMatch(/^(?:Point|Every point)/);
  expect(markdown).not.toContain('## Not matched with another report');
  const topic = { topic: 0, parent: null, text: 'The fire', rationale: '' };
  const asked = synthesize({
    query: 'What is known?',
    mode: 'fast',
    tier: 'L',
    steps: steps.map((step, at) => (at === 0 ? { ...step, topic } : step)),
  });
  expect(sectionOf(asked.markdown, 'Answer')).toContain('The mill closed in 1920');
});

it('says where the reports state more than a job of its budget records', () => {
  const nouns = 'bridge mill harbour tower school market library station theatre garden stadium museum prison temple bakery'.split(' ');
  const reportOf = (count: number) =>
    synthesize({
      query: 'What is in Ulm?',
      mode: 'fast',
      tier: 'XXS',
      steps: [
        reported(
          'provider-a',
          Array.from({ length: count }, (_, at) => `${nouns[at % nouns.length] ?? ''}${at < nouns.length ? '' : 'yard'}`)
            .map((noun, at) => `The ${noun} of Ulm has ${String(at + 3)} gates.`)
            .join(' '),
          [],
        ),
      ],
    });
  expect([reportOf(20), reportOf(21)].map(({ claims }) => claims.length)).toEqual([20, 20]);
  expect(sectionOf(reportOf(20).markdown, 'What is missing')).not.toContain('has room for');
  expect(sectionOf(reportOf(21).markdown, 'What is missing')).toContain(
    '- The reports say more than the 20 claims that a job of this budget has room for: 1 sentence of theirs is in none.',
  );
  expect(sectionOf(reportOf(24).markdown, 'What is missing')).toContain(': 4 sentences of theirs are in none.');
});

it('leaves out what one provider alone speaks of before one side of what two tell otherwise', () => {
  const nouns = 'bridge mill harbour tower school market library station theatre garden stadium museum prison temple bakery'.split(' ');
  const filler = [...nouns, ...nouns.map((noun) => `${noun}yard`)].map((noun, at) => `The ${noun} of Ulm has ${String(at + 3)} gates.`);
  const sides = ['Repairs of the weir were easy.', 'Repairing the weir was a long struggle.'] as const;
  const { claims } = synthesize({
    query: 'What is in Ulm, and how many gates does it have?',
    mode: 'fast',
    tier: 'XXS',
    steps: [reported('provider-a', [...filler, sides[0]].join(' '), []), reported('provider-b', sides[1], [])],
  });
  expect(claims).toHaveLength(20);
  expect(claims.flatMap(({ supporting }) => supporting.map(({ quote }) => quote))).toEqual(expect.arrayContaining([...sides]));
});

it.each([
  ['The mill is full.', 'A full bridge.', 'Full towers stand there.'],
  ['Connect | Tolm: slow', 'Connect | Arven: fast', '[Phones:] Connect slowly.'],
  ['First-line treatment helps.', 'Doctors chose first-line treatment.'],
  ['An old well-known mill.', 'The old well-known inn.'],
  ['Bridge tolls rose by high single digits.', 'The mill grew at high single digits.', 'High single digits are left for the tower.'],
  ['Since January the bridge of Ulm has a toll.', 'The mill costs more since January.', 'In January the tower closes.'],
  ['The bridge lasts six hours.', 'Six hours are enough for the mill.', 'In six hours the tower closes.'],
  ['It quickly removes granite.', 'The mill removes oak.', 'Nobody removes salt.'],
])('no topic is named by a month, an amount, a verb, a part of a word or a lone word that may be anything: %s', (...texts) => {
  expect(
    titleOf(
      texts.map((text) => readingOf(text)),
      new Set(),
    ),
  ).toBeNull();
});

it('a topic is named by what its claims are about', () => {
  expect(
    titleOf(
      ['The old bridge of Ulm has a toll.', 'A toll is paid on the old bridge.'].map((text) => readingOf(text)),
      new Set(),
    ),
  ).toBe('Old bridge');
  const named = ['Tolm sells boats.', 'Nobody in Tolm swims.', 'The rest of Tolm sleeps.'].map((text) => readingOf(text));
  expect(titleOf(named.toReversed(), new Set())).toBe('Tolm');
});

it('tells a heading once that is both above a sentence and before it', () => {
  const born = '- **Who gets it:** Men born on or after 6 April 1951 and women born on or after 6 April 1953. [1]';
  const report = `## How the new State Pension works\n\n${born}\n- **Full rate:** In 2026 it is £241.30 a week. [1]`;
  const steps = [reported('provider-a', report, [A])];
  const { claims } = synthesize({ query: 'How does the UK new State Pension work?', mode: 'fast', tier: 'L', steps });
  expect(claims.map(({ claim }) => claim)).toContainEqual(
    expect.stringMatching(/^\[How the new State Pension works:\] Who gets it: /) as string,
  );
});
