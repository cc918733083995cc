import { askedPartsOf } from '@lib/synthesis/question/asked-parts';
import { findingsOf, synthesize } from '@lib/synthesis/synthesize';
import { limitsOf, linesOfAnswer } from '@lib/synthesis/report/limits';
import fc from '../support/properties';
import { reported, sectionOf } from './steps';

const textsOf = (query: string): string[] => askedPartsOf(query).map(({ text }) => text);

it.each([
  ['What caused the fire, how many died and what has changed since?', ['What caused the fire', 'how many died', 'what has changed since']],
  ['Does Velmora lower blood pressure, and is it safe?', ['Does Velmora lower blood pressure', 'is it safe']],
  ['How badly has the reef bleached, why, and can it be saved?', ['How badly has the reef bleached', 'why', 'can it be saved']],
  [
    'Is a solar kit worth buying: what does it yield? What does it cost?',
    ['Is a solar kit worth buying', 'what does it yield', 'What does it cost'],
  ],
  ['Rust or Go for a service: how do they compare in speed, hiring and price?', ['speed', 'hiring', 'price']],
  ['How much plastic gets in, and do clean-up projects help?', ['How much plastic gets in', 'do clean-up projects help']],
])('divides %j', (query, parts) => {
  expect(textsOf(query)).toEqual(parts);
});

it.each([
  'What rules and taxes apply to short-term rentals?',
  'Kafka, RabbitMQ or NATS for the messaging of a company: how do they compare?',
  'Who was the engineer that was dismissed and is called a hero by critics?',
  'The history of Enron',
  'and what, ',
  '',
])('leaves %j whole', (query) => {
  expect(textsOf(query)).toHaveLength(1);
});

it('divides no question that is long, however it is written, and takes no time over it', () => {
  const begun = performance.now();
  for (const hostile of ['what, and ', 'how many ', 'compare in ', ', is it ', 'what does act do ', '?;:'])
    for (const length of [990, 100_000]) expect(askedPartsOf(hostile.repeat(length / hostile.length)).length).toBeLessThanOrEqual(8);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

const FIRE = 'What caused the fire in the Tolm mill, how many died and what has changed since?';
/** Its closest sentences all have the words of the question and tell how it began. */
const OF_CAUSE = [
  'The fire in the Tolm mill was caused by a hot bearing.',
  'The fire in the Tolm mill began in the spinning room because dust had settled on the shafts.',
  'The fire in the Tolm mill spread fast, since the doors of the mill had been left open, and caused a panic.',
  'The fire in the Tolm mill was seen from the harbour and caused the bells of the town to be rung.',
];
const stepsOf = (one: readonly string[], other: readonly string[]) => [
  reported('provider-a', one.join(' '), []),
  reported('provider-b', other.join(' '), []),
];
const answerTo = (query: string, one: readonly string[], other: readonly string[], tier: 'S' | 'M' = 'S'): string =>
  sectionOf(synthesize({ query, mode: 'fast', tier, steps: stepsOf(one, other) }).markdown, 'Answer');

describe('an answer to a question of several parts', () => {
  const others = [
    'Nobody speaks of it in the town.',
    'Thirty-one spinners were killed.',
    'Sprinklers were introduced in every mill of the valley.',
  ];

  it('has a line for each part, in their order, though others have more words of the question', () => {
    const answer = answerTo(FIRE, OF_CAUSE, others);
    const places = ['hot bearing', 'Thirty-one spinners', 'Sprinklers'].map((words) => answer.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(answer.match(/^\d\. /gm)?.length).toBeLessThanOrEqual(linesOfAnswer(limitsOf('S', 'fast'), 3));
  });

  it('has lines of several providers on a second part, though the first asks for a single fact', () => {
    const glass = ['Wear dark glasses of the norm at the Tolm crater.', 'At the Tolm crater, dark glasses of the norm are worn.'];
    const answer = answerTo(
      'Where can I see the lava of the Tolm crater and how do I watch it safely?',
      ['The lava of the Tolm crater can be seen from the northern rim.', glass[0] ?? ''],
      ['From the northern rim one sees the lava of the Tolm crater.', glass[1] ?? '', 'The risk of burns is high within 200 m.'],
      'M',
    );
    expect(answer).toContain('burns');
    expect(answer).toContain('glasses');
  });

  it('takes nothing for a figure that is asked for without one', () => {
    const answer = answerTo('What caused the fire in the Tolm mill, and what did it cost the owners?', OF_CAUSE, [
      'The cost was discussed for years in the press of the whole valley.',
      'Insurers paid 400,000 crowns for the machines.',
    ]);
    expect(answer).toContain('400,000 crowns');
    expect(answer).not.toContain('discussed');
  });

  it('finds what a part asks for below a heading that tells it', () => {
    const other = [
      '# The Tolm mill\n\n## Deaths\n\nThirty-one spinners lost their homes as well.\n\n## Who died\n\nNearly all of the 44 were girls of the night shift.',
    ];
    expect(answerTo(FIRE, OF_CAUSE, other)).toContain('Nearly all of the 44');
  });
});

it('has never more lines than its budget allows, none twice, and each is a claim', () => {
  const sentence = fc.constantFrom(
    ...OF_CAUSE,
    'Thirty-one spinners were killed.',
    'Some 400,000 crowns were paid.',
    'Critics reject the report of 1911.',
    'Since then sprinklers are required.',
  );
  const part = fc.constantFrom('what caused it', 'how many died', 'what did it cost', 'who was to blame', 'when was it', 'is it disputed');
  fc.assert(
    fc.property(
      fc.array(sentence),
      fc.array(sentence),
      fc.array(part, { minLength: 1 }),
      fc.constantFrom('XXS', 'S', 'M'),
      (one, other, asked, tier) => {
        const query = `What happened in the Tolm mill, ${asked.join(', ')}?`;
        const { outline, claims } = findingsOf({ query, mode: 'fast', tier, steps: stepsOf(one, other) });
        const { answer } = outline;
        expect(answer.length).toBeLessThanOrEqual(limitsOf(tier, 'fast').answer + 2);
        expect(new Set(answer).size).toBe(answer.length);
        expect(answer.every((line) => claims.some((claim) => claim === line))).toBe(true);
      },
    ),
  );
});
