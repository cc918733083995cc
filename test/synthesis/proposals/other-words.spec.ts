import { findingsOf } from '@lib/synthesis/synthesize';
import { synthesizeWithSummary } from '@lib/synthesis/summary/summary';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { reported } from '../steps';

type Pair = readonly [left: string, right: string];

const inputOf = ([left, right]: Pair): SynthesisInput => ({
  ...{ query: 'What is known?', mode: 'methodical', tier: 'M' },
  steps: [
    reported('provider-a', `${left.slice(0, -1)} [1].`, ['https://a.example/1']),
    reported('provider-b', `${right.slice(0, -1)} [1].`, ['https://b.example/1']),
  ],
});

const proposed = (pair: Pair, as: 'claims' | 'disputes') => {
  const [left, right] = pair.map((quote, place) => ({ report: `R${String(place + 1)}`, quote: quote.slice(0, -1) }));
  return verifyProposals(inputOf(pair), JSON.stringify({ claims: [], disputes: [], [as]: [{ quotes: [left, right] }] }));
};

describe('two quotes in free wording that a model proposes as one claim', () => {
  it.each<[string, Pair]>([
    [
      'units, a day and the year are written otherwise',
      [
        'Between 1980 and 2010 the Sarnoy Glacier retreated by 1.4 kilometres.',
        'The front of the Sarnoy Glacier moved back 1,400 metres over the three decades from 1980 to 2010.',
      ],
    ],
    [
      'a number is near its bound',
      [
        'More than 1.4 million people visited the Sarnoy Glacier in 2010.',
        'Some 1.6 million visitors came to see the Sarnoy Glacier during 2010.',
      ],
    ],
    [
      'a name is shortened',
      [
        'The Norvian Medicines Board approved caldoxin for adults in March 2019.',
        'Clearance of caldoxin, so far as grown patients go, was given by the NMB in March 2019.',
      ],
    ],
    [
      'a place is told by its people',
      [
        'The toy maker Pluvo earned a fifth of its income in Brazil in 2022.',
        'Brazilian buyers stood for one part in five of what Pluvo took in during 2022.',
      ],
    ],
    [
      'the second is more precise',
      [
        'Some 4,000 volunteers joined the Grønvold sleep study in 2014.',
        'Enrolment in the research on sleep led by Grønvold closed in May 2014 at 3,962 participants.',
      ],
    ],
    [
      'a denial is told by a word that denies',
      [
        'A jury in Castor found the banker Leonid Aramov not guilty of insider dealing.',
        'Leonid Aramov, who worked at a bank, was acquitted by jurors in Castor of dealing on inside knowledge.',
      ],
    ],
    [
      'a superlative is told by a denial',
      [
        'The Okafor family is the largest shareholder of the shipping line Bluewake.',
        'Nobody owns a bigger stake in Bluewake than the Okafor clan from Lagos.',
      ],
    ],
    [
      'who wins on one side loses on the other',
      [
        'Kestrel United beat Porthaven in the 2017 final of the cup.',
        'Porthaven lost to Kestrel United when the cup was decided in 2017, before some 40,000 people.',
      ],
    ],
    [
      'a reservation belongs to what the second adds',
      [
        'Astrava cut 3,000 jobs in 2020 because demand had collapsed.',
        'A collapse of what customers ordered led Astrava to eliminate 3,000 positions in 2020, nearly all of them in Lodz.',
      ],
    ],
  ])('is one where %s', (_, pair) => {
    expect(proposed(pair, 'claims')).toMatchObject({ claims: [[{}, { isInOtherWords: true }]], refused: 0 });
    expect(proposed(pair, 'disputes')).toMatchObject({ disputes: [], refused: 1 });
  });

  it.each<[string, Pair]>([
    [
      'another number',
      [
        'Between 1980 and 2010 the Sarnoy Glacier retreated by 1.4 kilometres.',
        'The front of the Sarnoy Glacier moved back 1,700 metres over the three decades from 1980 to 2010.',
      ],
    ],
    [
      'a number far from its bound',
      [
        'More than 1.4 million people visited the Sarnoy Glacier in 2010.',
        'Some 49 million visitors came to see the Sarnoy Glacier during 2010.',
      ],
    ],
    [
      'another year',
      [
        'The Norvian Medicines Board approved caldoxin for adults in March 2019.',
        'Clearance of caldoxin, so far as grown patients go, was given by the NMB in March 2018.',
      ],
    ],
    [
      'less precisely when',
      [
        'The Norvian Medicines Board approved caldoxin for adults in March 2019.',
        'Clearance of caldoxin, so far as grown patients go, was given by the NMB in 2019.',
      ],
    ],
    [
      'another name',
      [
        'The Norvian Medicines Board approved caldoxin for adults in March 2019.',
        'Clearance of caldoxin, so far as grown patients go, was given by the European Agency in March 2019.',
      ],
    ],
    [
      'a plan',
      [
        'Freshmark and Dalby merged their business on the web in 2021.',
        'A merger of what Freshmark and Dalby sell online was planned for 2021.',
      ],
    ],
    [
      'at somebody’s word',
      [
        'Queen Ysolde of Bramar killed her husband with poison in 1203.',
        'Legend has it that in 1203 Ysolde, who ruled Bramar, put her consort to death by poisoning.',
      ],
    ],
    [
      'of another group',
      [
        'Zelpirone halved the risk of stroke in the DORIC trial of 2016.',
        'The outcome of DORIC in 2016: half as many strokes among mice that got zelpirone.',
      ],
    ],
    [
      'that it is not so',
      [
        'Ulvarin prolonged the life of patients in the CASTELLAN trial.',
        'In CASTELLAN, no gain of lifetime came from ulvarin for the patients.',
      ],
    ],
    [
      'the opposite',
      [
        'The appeal judges of Norvale upheld the sentence of the smuggler Viktor Danso.',
        'What Viktor Danso had been sentenced to for smuggling was overturned by the bench that heard his appeal in Norvale.',
      ],
    ],
    [
      'with the two exchanged',
      [
        'Denvora protected better than Qitavax against dengue in the TAMARIN study.',
        'Head to head in TAMARIN, Qitavax outperformed Denvora at keeping people out of hospital.',
      ],
    ],
    [
      'with the two exchanged by a passive',
      [
        'Holmgard swallowed Drayton in the deal of 2015 between the two brewers.',
        'Holmgard was taken over by Drayton in 2015, which thereby owned both breweries.',
      ],
    ],
    [
      'of a country that a short word begins',
      [
        'The toy maker Pluvo earned a fifth of its income in India in 2022.',
        'Brazilian buyers stood for one part in five of what Pluvo took in during 2022.',
      ],
    ],
    [
      'of a navy, with a word at its beginning that has the initials of another',
      [
        'The Indian Navy sank three ships off Kelm in 1971.',
        'In 1971 three vessels went down off Kelm after an attack by the Pakistani Fleet.',
      ],
    ],
    [
      'with a number that is rounded to the other but far from it',
      [
        'A fire at the Kelm mill killed 10 workers in 1990.',
        'In 1990 the Kelm mill burned, and 14 of those who worked there lost their lives.',
      ],
    ],
    ...['Allegedly, ', 'According to a rumour, ', 'At least in a simulation, ', 'The idea is false, that '].map(
      (before): [string, Pair] => [
        `behind “${before}”`,
        [
          'Between 1980 and 2010 the Sarnoy Glacier retreated by 1.4 kilometres.',
          `${before}the front of the Sarnoy Glacier moved back 1,400 metres over the three decades from 1980 to 2010.`,
        ],
      ],
    ),
    [
      'of animals alone, which is added',
      [
        'The Norvian Medicines Board approved caldoxin for adults in March 2019.',
        'Clearance of caldoxin, so far as grown patients go, was given by the NMB in March 2019, for animals only.',
      ],
    ],
    [
      'that it is not so, with a word that ends as a superlative does',
      ['The Kelm Bank raised its interest rate in 2019.', 'In 2019 the rate that the Kelm Bank charges never went up.'],
    ],
    [
      'that it is not so, with a word that begins as a denial does',
      ['The university opened a hospital in Kelm in 1990.', 'No clinic or hospital was founded in Kelm by the university in 1990.'],
    ],
    ['of something else', ['The Okafor family is the largest shareholder of Bluewake.', 'Ulm lies on the Danube, not far from Augsburg.']],
  ])('is none where the second says it %s', (_, pair) => {
    expect(proposed(pair, 'claims')).toMatchObject({ claims: [], refused: 1 });
  });

  const [FIRST, SECOND]: Pair = [
    'The Okafor family is the largest shareholder of the shipping line Bluewake.',
    'Nobody owns a bigger stake in Bluewake than the Okafor clan from Lagos.',
  ];

  it('is of medium confidence at most, since that the words mean the same is the model’s word, and the report says so', () => {
    const input = inputOf([FIRST, SECOND]);
    const accepted = proposed([FIRST, SECOND], 'claims');
    const claim = findingsOf(input, accepted).claims.find(({ text }) => text.includes('Okafor'));
    expect(claim).toMatchObject({ text: FIRST, confidence: 'medium' });
    expect(new Set(claim?.supporting.map(({ provider }) => provider)).size).toBe(2);
    const { markdown } = synthesizeWithSummary(input, { reason: 'none was asked for' }, accepted);
    expect(markdown).toContain('in 1 agreement the words differ, and only the model says that they mean the same');
  });

  it('stays of high confidence where two others say it in the same words', () => {
    const two = inputOf([FIRST, SECOND]);
    const input = { ...two, steps: [...two.steps, reported('provider-c', `${FIRST.slice(0, -1)} [1], it says.`, ['https://c.example/1'])] };
    const quotes = [FIRST, SECOND].map((quote, place) => ({ report: `R${String(place + 1)}`, quote: quote.slice(0, -1) }));
    const accepted = verifyProposals(input, JSON.stringify({ claims: [{ quotes }] }));
    const claim = findingsOf(input, accepted).claims.find(({ text }) => text.includes('Okafor'));
    expect(claim).toMatchObject({ confidence: 'high' });
    expect(claim?.supporting.map(({ provider }) => provider)).toEqual(['provider-a', 'provider-b', 'provider-c']);
  });

  it('is of medium confidence also where two proposals begin with it', () => {
    const two = inputOf([FIRST, SECOND]);
    const third = 'The clan of the Okafor family has more of Bluewake than any other shareholder.';
    const input = { ...two, steps: [...two.steps, reported('provider-c', `${third.slice(0, -1)} [1].`, ['https://c.example/1'])] };
    const quoted = (report: string, quote: string) => ({ report, quote: quote.slice(0, -1) });
    const claims = [{ quotes: [quoted('R1', FIRST), quoted('R2', SECOND)] }, { quotes: [quoted('R1', FIRST), quoted('R3', third)] }];
    const accepted = verifyProposals(input, JSON.stringify({ claims }));
    expect(accepted).toMatchObject({ refused: 0 });
    expect(findingsOf(input, accepted).claims.find(({ text }) => text.includes('Okafor'))).toMatchObject({ confidence: 'medium' });
  });

  it('is of medium confidence also where a sentence is put together of clauses that were proposed', () => {
    const [owner, clearance] = [
      'The Okafor family is the largest shareholder of the line Bluewake in Lagos',
      'the Norvian Medicines Board approved caldoxin for adults in March 2019',
    ];
    const pair: Pair = [
      `${owner}, and ${clearance}.`,
      `${SECOND} Clearance of caldoxin, so far as grown patients go, was given by the NMB in March 2019.`,
    ];
    const input = inputOf(pair);
    const claims = [
      [owner, SECOND.slice(0, -1)],
      [clearance, 'Clearance of caldoxin, so far as grown patients go, was given by the NMB in March 2019'],
    ].map(([left, right]) => ({
      quotes: [
        { report: 'R1', quote: left },
        { report: 'R2', quote: right },
      ],
    }));
    const accepted = verifyProposals(input, JSON.stringify({ claims }));
    expect(accepted).toMatchObject({ refused: 0 });
    const shared = findingsOf(input, accepted).claims.filter(({ supporting }) => supporting.length > 1);
    expect(shared.length).toBeGreaterThan(0);
    for (const { confidence } of shared) expect(confidence).toBe('medium');
  });

  it('is told by the other quote where that says less than the one that the model puts first', () => {
    const precise = 'Enrolment in the research on sleep led by Grønvold closed in May 2014 at 3,962 participants.';
    const rounded = 'Some 4,000 volunteers joined the Grønvold sleep study in 2014.';
    expect(proposed([precise, rounded], 'claims')).toMatchObject({
      claims: [[{ stepId: 'stp_provider-b' }, { stepId: 'stp_provider-a', isInOtherWords: true }]],
    });
    // More words may tell more, which only the model's order could vouch for.
    const longer =
      'Some 4,000 volunteers and their nearest relatives joined the Grønvold sleep study with great joy in 2014, a good year for tests.';
    expect(proposed([precise, longer], 'claims')).toMatchObject({ claims: [], refused: 1 });
  });

  it.each<[string, Pair]>([
    [
      'the one gives the first name too',
      [
        'In November 1930 Alder Wegen died on the Kelm ice on the way back.',
        'Wegen died on the Kelm ice in November 1930 on the way back, as did Ulm.',
      ],
    ],
    [
      'the first is one to be elected',
      ['In 1918 Rana Kel became the first Indian elected a fellow.', 'In 1918 Rana Kel became the first Indian to be elected a fellow.'],
    ],
  ])('is in the same words where %s', (_, pair) => {
    expect(proposed(pair, 'claims')).toMatchObject({ claims: [[{ stepId: 'stp_provider-a' }, { isInOtherWords: false }]] });
  });

  it('is not in the same words where another of the same surname is named', () => {
    expect(proposed(['Alder Wegen died on the Kelm ice in 1930.', 'Berta Wegen died on the Kelm ice in 1930.'], 'claims')).toMatchObject({
      claims: [],
      refused: 1,
    });
  });

  describe('of which one has a pronoun that nobody can tell', () => {
    const NAMED = 'The dam on the Kelm has been listed as a monument since 1996.';
    const BEFORE = 'The mill stands beside the dam on the Kelm.';
    const LEANING = 'It was put on the public list of protected monuments in 1996.';
    const input: SynthesisInput = {
      ...{ query: 'What is known of the Kelm?', mode: 'methodical', tier: 'M' },
      steps: [
        reported('provider-a', `${NAMED.slice(0, -1)} [1].`, ['https://a.example/1']),
        reported('provider-b', `${BEFORE} ${LEANING.slice(0, -1)} [1].`, ['https://b.example/1']),
      ],
    };
    const verified = (as: 'claims' | 'disputes', quotes: string[]) =>
      verifyProposals(
        input,
        JSON.stringify({
          claims: [],
          disputes: [],
          [as]: [{ quotes: quotes.map((quote) => ({ report: quote === NAMED ? 'R1' : 'R2', quote: quote.slice(0, -1) })) }],
        }),
      );

    it.each([
      ['first', [NAMED, LEANING]],
      ['last', [LEANING, NAMED]],
    ])('is told by the one that names it, put %s, at the model’s word', (_, quotes) => {
      const accepted = verified('claims', quotes);
      expect(accepted).toMatchObject({ claims: [[{ stepId: 'stp_provider-a' }, { stepId: 'stp_provider-b', isInOtherWords: true }]] });
      const shared = findingsOf(input, accepted).claims.filter(({ supporting }) => supporting.length > 1);
      expect(shared).toMatchObject([{ text: NAMED, confidence: 'medium' }]);
    });

    it('is at the model’s word also where it has the same words otherwise', () => {
      const [named, leaning] = [
        'The old stone dam protects the village from floods.',
        'It protects the poor village below it from the yearly floods.',
      ];
      const steps = [named, `${BEFORE} ${leaning}`].map((report, place) =>
        reported(place === 0 ? 'provider-a' : 'provider-b', `${report.slice(0, -1)} [1].`, [`https://${String(place)}.example/1`]),
      );
      const quotes = [named, leaning].map((quote, place) => ({ report: `R${String(place + 1)}`, quote: quote.slice(0, -1) }));
      expect(verifyProposals({ ...input, steps }, JSON.stringify({ claims: [{ quotes }] }))).toMatchObject({
        claims: [[{}, { isInOtherWords: true }]],
      });
    });

    it('is no side of a dispute, whatever it says', () => {
      const leaning = 'It has been listed as a monument since 1964.';
      const steps = [NAMED, `${BEFORE} ${leaning}`].map((report, place) =>
        reported(place === 0 ? 'provider-a' : 'provider-b', `${report.slice(0, -1)} [1].`, [`https://${String(place)}.example/1`]),
      );
      const quotes = [NAMED, leaning].map((quote, place) => ({ report: `R${String(place + 1)}`, quote: quote.slice(0, -1) }));
      expect(verifyProposals({ ...input, steps }, JSON.stringify({ disputes: [{ quotes }] }))).toMatchObject({ disputes: [], refused: 1 });
    });

    it('is no claim by itself and no side of a dispute', () => {
      expect(verified('claims', [LEANING])).toMatchObject({ claims: [], refused: 1 });
      expect(verified('disputes', ['It was put on the public list of protected monuments in 1996.', NAMED])).toMatchObject({
        disputes: [],
        refused: 1,
      });
    });
  });

  it('is refused where the quote that says less is a part of a sentence that says nothing alone', () => {
    const whole: Pair = [
      'With scarce water and rising carbon dioxide to contend with, the crew of the Kelm built an adapter out of hoses and tape.',
      'Cold, thirsty and threatened by rising carbon dioxide, the crew of the Kelm waited for the next day.',
    ];
    const quotes = [
      { report: 'R1', quote: 'With scarce water and rising carbon dioxide to contend with' },
      { report: 'R2', quote: 'Cold, thirsty and threatened by rising carbon dioxide' },
    ];
    expect(verifyProposals(inputOf(whole), JSON.stringify({ claims: [{ quotes }] }))).toMatchObject({ claims: [], refused: 1 });
  });
});

describe('two quotes in free wording that a model proposes as a dispute', () => {
  it.each<[string, string, Pair]>([
    [
      'an amount',
      'quantity',
      ['The Holm Arena seats 24,500 spectators.', 'There is room for 18,000 in the Holm Arena, whichever sport is played there.'],
    ],
    [
      'a date',
      'value',
      [
        'The stable release 1.0 of the queue Carrier appeared in May 2015.',
        'Carrier 1.0, as the first stable version is called, was not published until February 2017.',
      ],
    ],
    [
      'a name',
      'value',
      [
        'The trademark case between Olva and Olvana was first decided in Lenz.',
        'On the trademark of Olva and Olvana the first ruling was given in Brackwater.',
      ],
    ],
    [
      'a denial',
      'polarity',
      [
        'The cache class of the Marlow library can be shared between threads.',
        'Between threads the cache class of Marlow must never be shared, since it does no locking.',
      ],
    ],
    [
      'an opposite',
      'direction',
      [
        'The appeal judges of Norvale upheld the sentence of the smuggler Viktor Danso.',
        'What Viktor Danso had been sentenced to for smuggling was overturned by the bench that heard his appeal in Norvale.',
      ],
    ],
    [
      'who is better',
      'direction',
      [
        'Denvora protected better than Qitavax against dengue in the TAMARIN study.',
        'Head to head in TAMARIN, Qitavax outperformed Denvora at keeping people out of hospital.',
      ],
    ],
  ])('is one over %s', (_, cue, pair) => {
    expect(proposed(pair, 'disputes')).toMatchObject({ disputes: [{ cue }], refused: 0 });
  });

  it.each<[string, Pair]>([
    [
      'another time explains another amount',
      [
        'Nine percent of the pupils in Tavira County were obese in 2005.',
        'By 2018, obesity affected 17 percent of pupils in Tavira County.',
      ],
    ],
    [
      'one is of a plan',
      [
        'The Lowen Tunnel was planned to cost 600 million francs in all.',
        'To build the Lowen Tunnel took 940 million francs from the first day to the last.',
      ],
    ],
    [
      'one is of some of them',
      ['Zelpirone halved the risk of stroke in women in the DORIC trial.', 'In DORIC no fewer strokes were seen with zelpirone.'],
    ],
    [
      'one is of another version',
      [
        'Version 1.8 of the library Pixora crashes when it is given an empty file.',
        'Empty files are handled without any crash by version 1.9 of Pixora.',
      ],
    ],
    [
      'one number may be the other, rounded',
      [
        'Of the seats in the Holm Arena 4,000 are covered.',
        'There are 3,962 covered seats in the Holm Arena, whichever sport is played there.',
      ],
    ],
  ])('is none where %s', (_, pair) => {
    expect(proposed(pair, 'disputes')).toMatchObject({ disputes: [], refused: 1 });
  });

  it('is one over a denial of what something is used for still', () => {
    const pair: Pair = ['Caldoxin is used to treat malaria in Norvale.', 'For malaria doctors in Norvale never give caldoxin.'];
    expect(proposed(pair, 'disputes')).toMatchObject({ disputes: [{ cue: 'polarity' }], refused: 0 });
  });

  it('leaves the dispute that a clause of its side is in', () => {
    const paid = (pounds: number): string => `The Norvale institute paid Ada Kelm ${String(pounds)} pounds for the coal survey`;
    const pair: Pair = [
      `${paid(400)}, and the printed report ran to 240 pages.`,
      'What Ada Kelm wrote on coal for the Norvale institute had 190 pages.',
    ];
    const two = inputOf(pair);
    const input = { ...two, steps: [...two.steps, reported('provider-c', `${paid(900)} [1].`, ['https://c.example/1'])] };
    const quotes = pair.map((quote, place) => ({ report: `R${String(place + 1)}`, quote: quote.slice(0, -1) }));
    const accepted = verifyProposals(input, JSON.stringify({ disputes: [{ quotes }] }));
    expect(accepted).toMatchObject({ disputes: [{}], refused: 0 });
    const { claims } = findingsOf(input, accepted);
    expect(claims.find(({ text }) => text.includes('900 pounds'))?.contradicting).toHaveLength(1);
  });

  it.each<[string, Pair, Pair]>([
    [
      'a clause',
      [
        'Ada Kelm read natural sciences at Girton College, and then studied the porosity of coal for the Norvale institute.',
        'After reading natural sciences at Newnham College, Ada Kelm spent the war years on the porosity of coal.',
      ],
      [
        'Ada Kelm read natural sciences at Girton College, and then studied the porosity of coal for the Norvale institute',
        'After reading natural sciences at Newnham College, Ada Kelm spent the war years on the porosity of coal',
      ],
    ],
    [
      'a part of a sentence',
      [
        'In May 1747 James Lind, surgeon of HMS Salisbury, gave six remedies to twelve sailors, and those who received oranges recovered.',
        'In May 1747 the surgeon James Lind, serving on HMS Centurion, divided twelve sailors into six pairs for six remedies.',
      ],
      [
        'In May 1747 James Lind, surgeon of HMS Salisbury, gave six remedies to twelve sailors',
        'In May 1747 the surgeon James Lind, serving on HMS Centurion, divided twelve sailors into six pairs for six remedies',
      ],
    ],
  ])('is shown from both sides where it is over %s', (_, pair, [one, other]) => {
    const quotes = [
      { report: 'R1', quote: one },
      { report: 'R2', quote: other },
    ];
    const input = inputOf(pair);
    const accepted = verifyProposals(input, JSON.stringify({ disputes: [{ quotes }] }));
    expect(accepted).toMatchObject({ disputes: [{}], refused: 0 });
    const disputed = findingsOf(input, accepted).claims.filter(({ contradicting }) => contradicting.length > 0);
    expect(new Set(disputed.flatMap(({ supporting }) => supporting.map(({ provider }) => provider))).size).toBe(2);
  });
});
