import type { ProviderId } from '@lib/domain/vocabulary';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { enumerated } from '@lib/synthesis/report/wording';
import { findingsOf, synthesize } from '@lib/synthesis/synthesize';
import fc from '../support/properties';
import { reported, sectionOf } from './steps';

const PAGES = ['https://a.example/1', 'https://b.example/1', 'https://c.example/1'];
const PROVIDERS: readonly ProviderId[] = ['provider-a', 'provider-b', 'provider-c'];
const DOUBTFUL = 'Perhaps contradicting each other';
const LIKELY = 'Likely agreed, in other words';
const SAME_POINT = 'Perhaps on the same point, from several providers';

/** A report of each provider, with a source of its own behind each sentence. */
const stepsOf = (...reports: string[]): SynthesisStep[] =>
  reports.map((report, at) => reported(PROVIDERS[at] ?? 'provider-d', report.replace(/\.(?= |$)/g, ' [1].'), [PAGES[at] ?? '']));

const reportOf = (query: string, ...reports: string[]): string =>
  synthesize({ query, mode: 'fast', tier: 'L', steps: stepsOf(...reports) }).markdown;

const GLACIER = [
  'On 9 August 2019 Lake Arven burst its moraine dam, and the flood destroyed three bridges. The valley has two museums about whaling.',
  'In August 2019 Lake Arven broke through its dam and five bridges were swept away. Ferries run to Tolm twice a week.',
  'Four bridges were lost when the moraine dam of Lake Arven failed in August 2019. A school was opened in 1911 by the mining company.',
];
const QUESTION = 'What is known about Haldor?';
/** These say that nothing differs. */
const ALIKE = ['same figures', 'same year', 'some figures the same'];

it('shows below each other what providers say of one point in words that nothing shows to mean the same, and claims no agreement', () => {
  const markdown = reportOf(QUESTION, ...GLACIER);
  const answer = sectionOf(markdown, 'Answer');
  expect(answer).toMatch(
    /^\d\. .*Arven.*\(provider-[abc]; low\)(?:\n {3}- Compare, figures differ: .*Arven.*\(provider-[abc]; low\)){2}$/m,
  );
  expect(answer.match(/bridges/g)).toHaveLength(3);
  expect(answer).toContain('Only what is said in nearly the same words counts as agreed.');
  expect(markdown).not.toContain('## Agreed by several providers');
  expect(sectionOf(markdown, DOUBTFUL)).toMatch(/^Point \d of the answer\.$/);
  expect(markdown).not.toContain(SAME_POINT);
});

it.each([
  [
    'The Danish tram line of Haldor was opened late by the mayor.',
    'In Denmark the tram line of Haldor was late, and the mayor opened it.',
    false,
  ],
  [
    'The Danish tram line of Haldor was opened late by the mayor.',
    'In Sweden the tram line of Haldor was late, and the mayor opened it.',
    true,
  ],
  [
    'Britain banned the tram line of Haldor after a vote of the mayor.',
    'A vote of the mayor ended in a ban of the tram line of Haldor by the UK.',
    false,
  ],
])('remarks “other names” only where names surely differ: %s %s', (one, other, isTold) => {
  const markdown = reportOf(QUESTION, `${one} ${GLACIER[0] ?? ''}`, `${other} ${GLACIER[1] ?? ''}`);
  expect(/^ +- .*tram line/m.test(markdown)).toBe(true);
  expect(/^ +- Compare, other names: .*tram line/m.test(markdown)).toBe(isTold);
});

it('explains only the notes that stand before a line', () => {
  const markdown = reportOf(QUESTION, ...GLACIER);
  expect(markdown).toContain('What others say of the same point stands below it: as “Compare”.*');
  expect(markdown).not.toMatch(/Likely the same|In full/);
});

it.each<[string | null, string, string]>([
  [
    'figures differ',
    'Four bridges were lost when the moraine dam of Lake Arven failed.',
    'The moraine dam of Lake Arven broke and five bridges were lost.',
  ],
  ['dates differ', 'The moraine dam of Lake Arven failed in August 2019.', 'In May 2021 Lake Arven broke through its moraine dam.'],
  [
    null,
    'The flood from Lake Arven did not reach the old church of Tolm.',
    'Water of Lake Arven stood in the old church at Tolm for days.',
  ],
  [
    'opposite words',
    'The moraine survey of Lake Arven met its first goal, to wide acclaim.',
    'To its shame the survey of the Lake Arven moraine missed its first goal.',
  ],
  ['same figures', 'The moraine dam of Lake Arven failed in August 2019.', 'In August 2019 Lake Arven broke through its moraine dam.'],
  [
    'figures differ',
    'The flood of Lake Arven reached Tolm within 3 to 4 hours after the moraine broke.',
    'When the moraine of Lake Arven broke, Tolm was under water in 4 to 6 hours.',
  ],
  [
    null,
    'More than five of the moraine lakes near Arven have been drained.',
    'Of the moraine lakes near Arven drains were cut for more than ten.',
  ],
  [null, 'The gate of the moraine dam at Lake Arven is closed to cars.', 'At Lake Arven the way over the moraine dam is not open to cars.'],
  [null, 'The moraine dam of Lake Arven is natural, not a work of engineers.', 'Lake Arven lies behind a natural dam of moraine.'],
  [
    'one denies it',
    'Lowering the moraine lake at Arven is not worth the money for villages under 500 people.',
    'For most villages, even those under 500 people, it is worth the money to lower the moraine lake at Arven.',
  ],
  [
    'one denies it',
    'At Lake Arven the lamps do not shine on the closed moraine gate.',
    'Lamps of Lake Arven shine on the open moraine gate.',
  ],
  [null, 'There is no safer bridge below the moraine of Lake Arven.', 'Tolm has the safest bridge below the Lake Arven moraine.'],
  [
    null,
    'The flood of Lake Arven reached Tolm in 1.2 to 2.4 hours after the moraine broke.',
    'When the moraine of Lake Arven broke, Tolm was under water in 1 to 2 hours.',
  ],
  [
    null,
    'The boats of Lake Arven cross the moraine bay without a pilot.',
    'Boats can cross the moraine bay of Lake Arven, and a pilot waits in Tolm.',
  ],
  ['same figures', 'Without a permit the boats of Lake Arven carried 40 people.', 'The boats are for 40 people on Lake Arven.'],
  [
    'same figures',
    'Some 25 % of the moraine dam of Lake Arven is left, but it is not advised to walk on it.',
    'Of the moraine dam at Lake Arven 25 % is left to walk on.',
  ],
  [
    'some figures the same',
    'The moraine dam of Lake Arven was 40 m high and held 300 million litres.',
    'Some 12 tonnes of moraine stood in the dam of Lake Arven, 40 m high.',
  ],
  [
    'some figures the same',
    'Lake Arven lost 40 m of its moraine dam in 2019.',
    'The moraine dam of Lake Arven, built 40 m high by 2012, is lower.',
  ],
  [
    'same figures',
    'Gifts for the moraine of Lake Arven, made seven years before death, are free of tax.',
    'You must survive gifts for the moraine of Lake Arven by seven years, free of tax.',
  ],
  ['figures differ', 'The moraine hut of Lake Arven has 163 beds.', 'There are 160 beds in the hut at the Lake Arven moraine.'],
  ['same figures', 'The moraine hut of Lake Arven has 163 beds.', 'There are about 160 beds in the hut at the Lake Arven moraine.'],
  ['opposite words', 'The moraine dam of Lake Arven fell by 40 %.', 'The moraine dam of Lake Arven is up by 40 %.'],
  [
    'figures differ',
    'Tolls at the Lake Arven moraine went from 12 % to 19 %.',
    'The moraine toll of Lake Arven changed from 19 % to 12 %.',
  ],
  [
    'figures differ',
    'Guards of the Lake Arven moraine earn 400 euros a week.',
    'At the moraine of Lake Arven guards get 400 euros per month.',
  ],
  [null, 'The large boats of Lake Arven cannot cross the moraine bay.', 'On the moraine bay of Lake Arven large boats are for all.'],
  [
    'one denies it',
    'The moraine dam of Lake Arven has to this very day not been mended.',
    'In the moraine dam of Lake Arven all was mended.',
  ],
  ['one denies it', 'Divers found no leak in the moraine dam of Lake Arven.', 'The moraine dam of Lake Arven has a leak that divers saw.'],
  [null, 'A leak in the moraine dam of Lake Arven is mended at no cost.', 'Lake Arven mends the leak of its moraine dam for free.'],
  [null, 'There was no difference between the moraine dams of Lake Arven.', 'The two moraine dams of Lake Arven were alike.'],
  [
    'same figures',
    'The boats of Lake Arven were given to 412 guests of the moraine.',
    'Data from 412 guests of the moraine boats at Lake Arven were kept.',
  ],
  [
    'same figures',
    'A contract for the moraine dam of Lake Arven is worth 40 million euros.',
    'The moraine dam of Lake Arven made 40 million euros and grew.',
  ],
  ['same figures', 'Guards of the Lake Arven moraine earn 5 % per annum.', 'At the moraine of Lake Arven guards are paid 5 % each year.'],
  ['same figures', 'The moraine of Lake Arven grew 40 huts in a second wave.', 'Lake Arven built 40 huts on the moraine in a year.'],
  [
    'same figures',
    'Of the moraine flood at Lake Arven 1,950 people died and 9,000 were hurt.',
    'The flood of the Lake Arven moraine hurt 9,000 people.',
  ],
  [null, 'The moraine dam of Lake Arven, which nobody guarded, failed at night.', 'Lake Arven broke through its moraine dam at night.'],
])('tells in what the two differ at first sight: %s', (differing, ...reports) => {
  const markdown = reportOf(QUESTION, ...reports);
  const [, likely, remark = null] = /^ +- (?:(Likely the same)|Compare(?:, ([a-z ]+))?): /m.exec(markdown) ?? ['', '', 'none'];
  // What is likely the same has no remark that it differs, and need not say which figures are the same.
  if (likely) expect([null, ...ALIKE]).toContain(differing);
  else expect(remark).toBe(differing);
  expect(sectionOf(markdown, 'Answer').includes('tell other figures, dates or names')).toBe(
    differing !== null && !ALIKE.includes(differing),
  );
});

it('calls nothing said by one provider only that another speaks of too', () => {
  const alone = sectionOf(reportOf(QUESTION, ...GLACIER), 'Not matched with another report');
  expect(alone).not.toMatch(/Arven|bridges/);
  expect(alone).toMatch(/^The comparison saw these in one report only\..*\n\nPoints/);
});

it('shows all points on which the reports may not fit together, and counts them, whatever the tier', () => {
  const places = 'Arven Belm Corvin Dresk Elvan Fornik Galt'.split(' ');
  const one = places.map((place) => `Four ${place}bridges were lost when the ${place}dam of Lake ${place} failed.`).join(' ');
  const other = places.map((place) => `The ${place}dam of Lake ${place} broke and five ${place}bridges were lost.`).join(' ');
  const { markdown } = synthesize({ query: QUESTION, mode: 'fast', tier: 'XXS', steps: stepsOf(one, other) });
  expect(markdown.match(/^ +- Compare, figures differ: /gm)).toHaveLength(places.length);
  const points = [...sectionOf(markdown, 'Answer').matchAll(/^(\d)\. .*\n +- Compare, figures differ: /gm)].map(([, point]) =>
    Number(point),
  );
  expect(points.length).toBeGreaterThan(1);
  expect(markdown).toContain(
    `On at least ${String(places.length)} points (points ${enumerated(points)} above among them) the reports tell other figures`,
  );
  const inAnswer = sectionOf(markdown, 'Answer').match(/^ +- Compare, figures differ: /gm)?.length ?? 0;
  expect(sectionOf(markdown, DOUBTFUL).match(/^ +- Compare, figures differ: /gm)).toHaveLength(places.length - inAnswer);
});

it('has a part for those that are not among the answers', () => {
  const about = 'The Kestrel engine was designed by Ida Holm';
  const others = ['Kestrel engines reach 900 horsepower', 'Kestrel engines drive ferries', 'Kestrel engines burn diesel oil'];
  const reports = [
    `${about}. ${others.join('. ')}. A fire destroyed the old paint shop in March 1931.`,
    'The paint shop burned down in March 1931.',
  ];
  const section = sectionOf(reportOf('Who designed the Kestrel engine?', ...reports), LIKELY);
  expect(section).toMatch(/^- A fire .* \(provider-a; medium\)\n {2}- Likely the same: The paint shop .* \(provider-b; medium\)$/);
});

it('puts below each other what tells one measure otherwise, however few words are shared', () => {
  const one =
    'Because of discounts, freight, a change of stock and hardly any snow in the shops of the north, as feared, the gross margin fell to 42.7 %.';
  const other = '- Gross margin: 43.7 %';
  const markdown = reportOf(QUESTION, one, other);
  expect(sectionOf(markdown, DOUBTFUL) + sectionOf(markdown, 'Answer')).toMatch(/margin.*\n +- Compare, figures differ: .*margin/i);
  expect(
    reportOf(
      QUESTION,
      `# Cars\n\n## Tesla\n\nLast year Tesla sold cars. ${one}`,
      `# Cars\n\n## Rivian\n\nLast year Rivian sold cars.\n\n${other}`,
    ),
  ).not.toContain('Compare');
  expect(reportOf(QUESTION, one, '- Net margin: 43.7 %')).not.toContain('Compare');
});

it('puts what a provider repeats below what it says with another, and nothing else of that provider', () => {
  const shared = 'The final stage had 3.1 million viewers in Italy.';
  const repeated = 'The final stage drew 3.1 million viewers in Italy on two channels.';
  const markdown = reportOf(QUESTION, `${shared} ${repeated} The final stage had snow on all climbs to Kelm.`, shared);
  expect(markdown).toMatch(
    /had 3\.1 million viewers in Italy\. \S+ ?\(provider-a, provider-b; \w+\)\n +- Compare, same figures: .* two channels/,
  );
  expect(markdown.match(/- (?:Compare|Likely)/g)).toHaveLength(1);
});

it('compares nobody with himself, and sentences about something else with nobody', () => {
  expect(reportOf(QUESTION, `${GLACIER[0] ?? ''} ${GLACIER[1] ?? ''}`)).not.toContain('Compare');
  expect(reportOf(QUESTION, 'Ferries run to Tolm twice a week.', 'The valley has two museums about whaling.')).not.toContain('Compare');
});

it('shows what stands in a dispute there alone', () => {
  const markdown = reportOf('How does Fastify wait?', 'The default timeout is 30 seconds.', 'The default timeout is 90 seconds.');
  expect(sectionOf(markdown, 'Disputed')).toContain('30 seconds');
  expect(markdown).not.toContain('Compare');
});

it('leaves what several say among the agreed, also where a topic brought it up', () => {
  const crack = 'The spillway of the dam had a crack that was found by chance.';
  const [asked, ...others] = stepsOf('Inspectors discovered a crack in the spillway of the Orrin dam.', crack, crack);
  const topic = { topic: 1, parent: null, text: 'the spillway', rationale: '' };
  const steps = [...(asked ? [asked] : []), ...others.map((step) => ({ ...step, topic }))];
  const { markdown } = synthesize({ query: QUESTION, mode: 'fast', tier: 'L', steps });
  expect(sectionOf(markdown, 'Agreed by several providers')).toContain('(provider-b, provider-c; low)');
});

it('shows once what one report places and the other does not', () => {
  const resettled = 'Some 1,900 villagers were resettled from the valley.';
  const markdown = reportOf('What is known?', resettled, `The Sund valley was drowned. ${resettled}`);
  expect(markdown.match(/Some 1,900/g)).toHaveLength(1);
});

it('joins a third only where it is like the other two', () => {
  const reports = ['Long copper pipes rust.', 'Long copper pipes adjoin wide zinc tanks.', 'Wide zinc tanks leak.'];
  const markdown = reportOf('What is known about the Kestrel?', ...reports);
  expect(markdown.match(/Compare:/g)).toHaveLength(1);
  expect(markdown).toMatch(/copper.*\n +- Compare: .*copper|zinc.*\n +- Compare: .*zinc/);
});

it('puts what answers the question above what a topic brought up', () => {
  const [explored, asked] = stepsOf(
    'Engineers found a leak below the Orrin dam in 2003.',
    'In 2003 the Orrin dam had a leak that nobody sealed.',
  );
  if (!explored || !asked) throw new Error('two reports are given above');
  const topic = { topic: 1, parent: null, text: 'cracks', rationale: '' };
  const { markdown } = synthesize({ query: QUESTION, mode: 'fast', tier: 'L', steps: [{ ...explored, topic }, asked] });
  expect(sectionOf(markdown, 'Answer')).toMatch(/^1\. .*\(provider-b; low\)\n +- Compare, same year: .*\(provider-a; low\)$/m);
});

it('compares the claims of the largest jobs too', () => {
  const filler = (seed: number): string[] =>
    Array.from({ length: 40 }, (_, at) => `Depot ${String(seed + at)} of Haldor stored w${String(seed + at)}rd in ${String(1900 + at)}.`);
  const last = ['Orrin gave up the ferry to Tolm in 1945.', 'The ferry from Orrin to Tolm was closed in 1945.'];
  const reports = last.map((sentence, at) => [...filler(100 * (at + 1)), sentence].join(' '));
  const { markdown, claims } = synthesize({ query: QUESTION, mode: 'methodical', tier: 'XL', steps: stepsOf(...reports) });
  expect(claims.length).toBeGreaterThan(70);
  expect(markdown).toMatch(/ferry.*\n +- (?:Likely the same|Compare, same year): .*ferry/);
});

it('shows every claim once, whatever is compared', () => {
  const pool = GLACIER.flatMap((report) => report.split(/(?<=\.) /));
  const more = ['valley', 'glacier', 'harbour', 'school', 'ferry'].flatMap((place, at) =>
    ['fire', 'storm', 'strike'].map((event) => `A ${event} closed the ${place} for ${String(at + 2)} days in 1931.`),
  );
  const report = fc.shuffledSubarray([...pool, ...more], { minLength: 1 });
  fc.assert(
    fc.property(fc.array(report, { minLength: 2, maxLength: 3 }), fc.constantFrom('XXS', 'S', 'L'), (reports, tier) => {
      const input = { query: QUESTION, mode: 'fast' as const, tier, steps: stepsOf(...reports.map((some) => some.join(' '))) };
      const { markdown, claims } = synthesize(input);
      // Of a report that says both, the record of a claim does not tell that it is disputed.
      const disputed = findingsOf(input).claims.filter(({ contradicting }) => contradicting.length > 0).length;
      const lines = markdown.split('\n').filter((line) => /\(provider-[^)]*; (?:low|medium|high)\)$/.test(line));
      expect(
        new Set(lines.map((line) => line.replace(/^ *(?:- |\d+\. )(?:Compare(?: with provider-[a-c] above)?(?:, [a-z ]+)?: )?/, ''))).size,
      ).toBe(lines.length);
      expect(lines.length).toBe(claims.length - disputed);
    }),
    { numRuns: 40 },
  );
});

it('brings together what has two figures in common, in whatever words, and one figure only with some of the words', () => {
  const [sales, figures] = ['Sales were down 10% at $46.3 billion.', 'Revenue: $46.3B, a 10 percent decrease'];
  expect(reportOf(QUESTION, sales, `- ${figures}`)).toMatch(/^ +- Compare, same figures: /m);
  expect(
    reportOf(QUESTION, 'Sales of boats abroad fell to $46 million.', '- Revenue of all other goods in 2019: $46 million'),
  ).not.toContain('Compare');
  expect(reportOf(QUESTION, 'Sales of boats abroad fell to $46 million.', '- Ships sold abroad: $46 million')).toContain('Compare');
});

it('takes words that can stand for each other for one word', () => {
  const cyclone = 'A cyclone crossed old bridges.';
  expect(reportOf(QUESTION, 'A storm shook bridges lightly.', cyclone)).toContain('Compare');
  expect(reportOf(QUESTION, 'A quake shook bridges lightly.', cyclone)).not.toContain('Compare');
});

it('knows figures that the question tells from those that answer it', () => {
  const reports = ['A budget of $600 and 12 GB buy the Tolm.', '- Money: $600 and 12 GB of memory for the Arven'] as const;
  expect(reportOf('Which phone with 12 GB is best for $600?', ...reports)).not.toContain('Compare');
  expect(reportOf(QUESTION, ...reports)).toContain('Compare');
});

it.each([
  ['Should I buy the Tolm K2 or the Arven Q7?', 'The Tolm folds flat and weighs 250 g.', 'The Arven folds flat and weighs 260 g.'],
  ['Is the Tolm K2 better than the Arven Q7?', 'The Tolm folds flat and weighs 250 g.', 'The Arven folds flat and weighs 260 g.'],
  ['How do oat milk and soy milk differ?', 'Oat drinks keep for nine days in the fridge.', 'Soy drinks keep for five days in the fridge.'],
])('compares nothing that is said of two things which the question holds against each other: %s', (query, one, other) => {
  expect(reportOf(query, one, other)).not.toContain('Compare');
  expect(reportOf(QUESTION, one, other)).toContain('Compare');
});

it('answers with what has the same figures in another report before what one report tells alone', () => {
  const alone = 'Kelm had a turnover of $51 million at home.';
  const told = 'Kelm had a turnover of $46 million abroad, 10 % less.';
  const reports = [`${alone} ${told}`, '- Turnover abroad: $46 million, a decrease of 10 %'];
  const [first] = sectionOf(reportOf('What turnover had Kelm?', ...reports), 'Answer').split('\n');
  expect(first).toContain('abroad');
});

it('holds no place and what it lies in against each other, and the words of one thing not either', () => {
  const [one, other] = ['Lisbon runs yellow trams up steep hills.', 'Portugal runs old yellow trams on its steep hills.'];
  expect(reportOf('What should I see in Lisbon, Portugal?', one, other)).toContain('Compare');
  const reports = ['Electric motors wear out brakes slowly.', 'Cars wear brakes out late.'] as const;
  expect(reportOf('Are electric cars or diesel vans cheaper to run?', ...reports)).toContain('Compare');
  expect(reportOf('Are electric motors or diesel cars cheaper?', ...reports)).not.toContain('Compare');
  expect(
    reportOf('Is Tolm or Arven cheaper, and is Tolm older than Arven?', 'A night in Tolm costs $40.', 'A night in Arven costs $40.'),
  ).not.toContain('Compare');
});

it('takes no day of the question for what tells two claims together, nor a year or a figure told twice for more', () => {
  const [choir, bakery] = ['A choir sang at the harbour on 5 May 2020.', 'The bakery burned on 5 May 2020 and then the mill.'];
  expect(reportOf('What happened in Tolm on 5 May 2020?', choir, bakery)).not.toContain('Compare');
  const [tax, voters] = ['Sales tax on all goods stands at 12 %.', 'Voters were 12 % of men, 12 % of women and 12 % of migrants.'];
  expect(reportOf(QUESTION, tax, voters)).not.toContain('Compare');
  expect(reportOf(QUESTION, 'Tolm showed its 2022 models.', 'The 2022 budget was cut.')).not.toContain('Compare');
});

it('puts what several say above what one tells of the same point, however sure that is', () => {
  const shared = 'Stone bridges of Kelm rot.';
  const [one, other] = ['provider-b', 'provider-c'].map((provider) => reported(provider as ProviderId, shared, []));
  const sure = reported('provider-a', 'Stone bridges of Kelm decay in the rain [1][2].', PAGES);
  const steps = [sure, one, other].flatMap((step) => step ?? []);
  const { markdown } = synthesize({ query: QUESTION, mode: 'fast', tier: 'L', steps });
  expect(markdown).toMatch(
    /Stone bridges of Kelm rot\. \(provider-b, provider-c; low\)\n +- Compare: Stone bridges of Kelm decay .*; medium\)/,
  );
});

it('takes two that tell different figures for no less alike', () => {
  const reports = ['Old stone bridges need 12 bolts and 13 screws.', 'Old stone bridges lost 45 arches and 47 lamps.'];
  expect(reportOf(QUESTION, ...reports)).toContain('Compare');
});

it('answers with what several providers tell where the question has words that its answer lacks', () => {
  const facts =
    'Benzol spilled from 40 barrels. Some 9,000 people were hurt. Boston sent a train at 7 p.m. that day. Some 1,600 houses burned.';
  const told =
    '40 barrels lost their benzol. The blast hurt 9,000 people. A train from Boston left that day at 7 p.m. Fire took 1,600 houses.';
  const reports = [`The explosion in Haldor harbour was caused by a collision. ${facts}`, told] as const;
  const answerTo = (query: string): string => sectionOf(reportOf(query, ...reports), 'Answer');
  const answer = answerTo('What caused the explosion in Haldor harbour, and what were its consequences?');
  expect(answer).toMatch(
    /^1\. The explosion.*\n2\. .*\n +- (?:Compare|Likely).*\n3\. .*\n +- (?:Compare|Likely).*\n4\. .*\n +- (?:Compare|Likely)/,
  );
  expect(answer).not.toMatch(/^6\./m);
  expect(answerTo('What caused the explosion in Haldor harbour?')).not.toMatch(/^2\./m);
  expect(answerTo('Explain the explosion in Haldor harbour.')).toMatch(/^4\./m);
  expect(answerTo('When did the explosion in Haldor harbour and its consequences come about?')).not.toMatch(/^2\./m);
});

it('answers with what several tell and not with what one tells alone, where more is asked than the closest point tells', () => {
  const told = [
    'Benzol spilled from 40 barrels.',
    'Some 9,000 people were hurt.',
    'Prices of glass rose by 12 %.',
    'Fire took 1,600 houses.',
    'Tolm sent 30 nurses.',
    'Insurers paid 80 million crowns.',
    'Soldiers cleared 70 streets.',
  ];
  const again = [
    '40 barrels lost benzol.',
    'The blast hurt 9,000 people.',
    'Glass cost 12 % more.',
    'In the fire 1,600 houses burned.',
    'From Tolm 30 nurses came.',
    'From insurers came 80 million crowns.',
    'In 70 streets soldiers cleared rubble.',
  ];
  const lead = 'The explosion in Haldor harbour was caused by a collision.';
  const reports = [[lead, ...told, 'Haldor harbour has a school for pilots.'], again].map((report) => report.join(' '));
  const answer = sectionOf(reportOf('What caused the explosion in Haldor harbour, and what were its consequences?', ...reports), 'Answer');
  expect(answer.match(/^\d/gm)).toHaveLength(8);
  expect(answer).not.toContain('school');
});

it('answers with what stands at the beginning of a report before what stands far below and has a word more of the question', () => {
  const query = 'How did Rovers of Kelm do in the finals of the Silver Cup against United of Ulm and City of Graz?';
  const [lead, below] = [
    'Rovers of Kelm won the Silver Cup against United of Ulm and City of Graz.',
    'Rovers of Kelm sold tickets for finals of the Silver Cup against United of Ulm and City of Graz.',
  ];
  const between = 'Fans of the finals came from many places to see it, and nobody was hurt on the way to the ground. '.repeat(5);
  const answerOf = (...sentences: string[]): string => sectionOf(reportOf(query, sentences.join(' ')), 'Answer');
  expect(answerOf(lead, between, below)).toMatch(/^1\. Rovers of Kelm won/);
  expect(answerOf(between, lead, below)).toMatch(/^1\. Rovers of Kelm sold/);
});

it('tells what does not fit to another line below the same claim', () => {
  const reports = [
    'In Tolm a $480 million bond for homes stood on the ballot of 2022.',
    'Voters rejected the $480 million bond in November 2022, and the city turned to state loans for homes.',
    'With 61 % of the vote Tolm approved a $480 million bond to fund social homes.',
  ];
  const markdown = reportOf(QUESTION, ...reports);
  expect(markdown).toMatch(/ballot.*\n +- Compare, same figures: .*\n +- Compare with provider-b above, opposite words: /);
  expect(sectionOf(markdown, 'Answer')).toContain('On at least 1 point (point 1 above) the reports tell other figures');
  expect(sectionOf(markdown, 'Worth pursuing next')).toMatch(/^- Do both hold: “.*rejected.*” and “.*approved.*”\?/);
});

describe('claims that share few words, each of them the closest of all to the other,', () => {
  const LEASE = 'How does a lease in Valdoria end?';
  const HOUSE = 'A second flat in the house has to be offered to the tenant first.';
  const DUTY = 'Owners are under no duty to show their tenant another flat.';
  const around = (own: string, at: number): string =>
    [
      'Letters of this kind go by registered post. The museum of Ulm opens on Mondays.',
      'The harbour was dredged in spring. Ferries run to Tolm all day.',
      'Bread is baked at night. Tea is grown in the north of the island.',
    ][at]?.replace('.', `. ${own}`) ?? '';
  const pointsOf = (...own: string[]): string[] => {
    const { outline } = findingsOf({ query: LEASE, mode: 'fast', tier: 'L', steps: stepsOf(...own.map(around)) });
    return [...outline.samePoint].map(([claim, others]) => [claim, ...others].map(({ text }) => text).join(' | '));
  };

  it('stand below each other', () => {
    expect(pointsOf(HOUSE, DUTY)).toEqual([`${HOUSE} | ${DUTY}`]);
    expect(pointsOf(DUTY, HOUSE)).toEqual([`${DUTY} | ${HOUSE}`]);
  });

  it.each([
    [
      'a third one is closer to one of them',
      [HOUSE, DUTY, 'Whether a flat of the owners suits the tenant is decided by an agent of theirs after a visit.'],
      HOUSE,
      DUTY,
    ],
    [
      'they tell other figures',
      [
        'A second flat in the house is kept for the tenant for 30 weeks.',
        'Owners may wait until an agent comes to show the tenant another flat for ten weeks.',
      ],
      'A second flat in the house is kept for the tenant for 30 weeks.',
      'Owners may wait until an agent comes to show the tenant another flat for ten weeks.',
    ],
    [
      'they share figures alone',
      ['Of the courts 12 % are new.', 'Some 12 % voted by post yesterday.'],
      'Of the courts 12 % are new.',
      'Some 12 % voted by post yesterday.',
    ],
  ])('stand apart where %s', (_, reports, one, other) => {
    expect(
      pointsOf(...reports)
        .map((point) => point.split(' | '))
        .filter((texts) => [one, other].every((text) => texts.includes(text))),
    ).toEqual([]);
  });
});

describe('a group of sentences on one point', () => {
  const pointsOf = (...reports: string[]): string[] => {
    const { samePoint } = findingsOf({ query: QUESTION, mode: 'fast', tier: 'L', steps: stepsOf(...reports) }).outline;
    return [...samePoint].map(([first, others]) => [first, ...others].map(({ text }) => text).join(' | '));
  };

  it('has a second one of a report that is as like the others, and tells where that differs', () => {
    const reports = [
      'In the OSPREY trial, weekly resin cut the width of cracks by 14.9 % over 68 weeks in 1,961 beams.',
      'Resin (OSPREY trial): weekly doses cut the width of cracks in 1,961 beams by 14.9 % over 68 weeks.',
      'In the OSPREY trial 1,961 beams had weekly resin over 68 weeks. In the OSPREY trial, weekly resin cut the width of cracks by 9.6 %.',
    ];
    const [group] = pointsOf(...reports).filter((point) => point.includes('9.6 %'));
    expect(group).toContain('14.9 %');
    expect(reportOf(QUESTION, ...reports)).toMatch(/figures differ: In the OSPREY trial, weekly resin cut the width of cracks by 9\.6 %/);
  });

  it('tells no difference between two sentences of one report', () => {
    const reports = [
      'Each hour the ferry of Tolm takes 40 cars over the sound. In winter the ferry of Tolm takes 25 cars over the sound each hour.',
      'Cars cross the sound of Tolm by ferry each hour in all weathers.',
    ];
    expect(reportOf(QUESTION, ...reports)).toMatch(/Compare.*\n.*Compare/);
    expect(reportOf(QUESTION, ...reports)).not.toContain('figures differ');
  });
});

describe('answers in hardly other words than the question', () => {
  const MOONS = 'How many moons does Jupiter have?';

  it('are compared, and their figures are held against each other', () => {
    const markdown = reportOf(MOONS, 'As of 2025, Jupiter has 97 confirmed moons.', 'Jupiter has 95 officially recognized moons.');
    expect(sectionOf(markdown, 'Answer')).toMatch(/^1\. .*Jupiter has 9[57].*\n {3}- Compare, figures differ: .*Jupiter has 9[57]/m);
  });

  it('confirm each other where they give the same figure', () => {
    const markdown = reportOf(MOONS, 'As of 2025, Jupiter has 97 confirmed moons.', 'Jupiter has 97 known moons.');
    expect(sectionOf(markdown, 'Answer')).toMatch(/^1\. .*97.*\n {3}- Likely the same: .*97/m);
  });

  it('are not compared with sentences that tell much else', () => {
    const markdown = reportOf(
      MOONS,
      'Jupiter has 97 known moons.',
      'One spacecraft photographed moons of Jupiter through a violet filter for 12 days while engineers tested its antenna.',
    );
    expect(markdown).not.toContain('Compare');
  });
});

describe('the figures with which claims answer "how tall", "how long", "how many"', () => {
  const compared = (query: string, ...reports: string[]): string | undefined => /Compare[^:]*:/.exec(reportOf(query, ...reports))?.[0];

  it.each([
    ['How tall is Mount Arven?', 'Mount Arven is 4,848 metres tall, by the survey of 2020.', 'The height of Mount Arven is 4,849 m.'],
    [
      'How long is the Weil?',
      'The Weil is about 640 km (400 miles) long.',
      'The Weil has a length of around 699 km, which makes it the longest.',
    ],
    ['How many huts does Arven have?', 'Arven has 95 well kept huts.', 'As of 2025, Arven has 97 huts that take guests.'],
    ['Through how many countries does the Weil flow?', 'The Weil flows through ten countries.', 'The river passes through nine countries.'],
    ['How many doses of Kelmol are needed?', 'Kelmol comes in two doses.', 'Three doses of Kelmol are needed.'],
    ['How old is Lake Arven?', 'Lake Arven is 25,000 years old.', 'The estimated age of Lake Arven is 40,000 years.'],
  ])('are held against each other: %s', (query, ...reports) => {
    expect(compared(query, ...reports)).toBe('Compare, figures differ:');
  });

  it.each([
    [
      'a rounded one',
      'How tall is Mount Arven?',
      'Mount Arven is 4,848.86 metres tall, by survey.',
      'The height of Mount Arven is 4,849 m.',
    ],
    [
      'the same in another unit',
      'How many days of holiday are workers of Arven entitled to?',
      'Workers of Arven are entitled to 28 days of holiday, which equals 5.6 weeks.',
      'Workers of Arven are entitled to 5.6 weeks of holiday in a year.',
    ],
  ])('agree if one is %s', (_, query, ...reports) => {
    expect(compared(query, ...reports)).toMatch(/^Compare(?:, (?:some|same) .*)?:$/);
  });

  it('are not those of a part', () => {
    const reports = ['Kelm Bridge is 737 metres long.', 'The main span of Kelm Bridge is 280 m long.'] as const;
    expect(compared('How long is Kelm Bridge?', ...reports) ?? 'apart').not.toContain('differ');
  });

  it.each([
    [
      'some of them',
      'How many seats does the parliament of Kelm have?',
      'The parliament of Kelm has 720 seats.',
      'The Blue Group won 188 seats.',
    ],
    ['a change', 'How many moons does Arven have?', 'Arven has 95 moons.', 'Arven lost 4 moons.'],
    ['a kind of them', 'How many titles did Weil win?', 'Weil won 8 titles.', 'The player won 103 tour titles.'],
  ])('are not the number of %s', (_, query, ...reports) => {
    expect(compared(query, ...reports) ?? 'apart').not.toContain('differ');
  });

  it('are of the measure that a question names', () => {
    expect(compared('What was the turnout?', 'Turnout was 76.6 percent.', 'Turnout stood at 71.2%.')).toBe('Compare, figures differ:');
  });
});

it('holds no figures of two named things against each other', () => {
  const [one, other] = ['Kelmland won 91 medals altogether.', 'Norland, the hosts, won 64 medals altogether.'];
  expect(reportOf('Who won the most medals at the games of Arven?', one, other)).not.toContain('differ');
  expect(reportOf('Who won the most medals at the games of Arven?', one, one.replace('91', '64'))).toMatch(/^\| .*(?:91.*64|64.*91)/m);
});

it.each([
  ['of another place', 'What was the turnout?', 'In Ulm, turnout was 69.7%.', 'Turnout was 72.2%.'],
  [
    'of another person',
    'Who leads Kelmland?',
    'Roberta Weil was re-elected president on 16 July 2024.',
    'Ursula Roth was re-elected as chief of the president on 18 July 2024.',
  ],
  [
    'of another version',
    'Does Corvid still have locks?',
    'Corvid 3.13, released on 7 October 2024, shipped an experimental build.',
    'Corvid 3.14 was released on 7 October 2025.',
  ],
])('holds nothing against what is told %s', (_, query, ...reports) => {
  expect(reportOf(query, ...reports)).not.toContain('differ:');
});

it('tells other dates of an event that two claims tell in the words of the question', () => {
  const [one, other] = ['The town of Grindorf was evacuated on 10 November 2023.', 'Grindorf was evacuated on 11 December 2023.'];
  expect(reportOf('When was Grindorf evacuated?', one, other)).toMatch(/Compare, dates differ:|## Disputed/);
});
