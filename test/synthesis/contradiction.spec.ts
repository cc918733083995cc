import fc from '../support/properties';
import { CONTRADICTION_CUES, type ContradictionCue } from '@lib/domain/vocabulary';
import { cueFoundIn, isForTuning, readSentencePairs } from '../../bench/claims/sentence-pairs';
import { expectVerbatim, reported, synthesisOf } from './steps';

const pairs = readSentencePairs();

describe.each<[ContradictionCue, [string, string, string][], [string, string, string][]]>([
  [
    'polarity',
    [
      ['a negated verb', 'The compiler checks array bounds at run time.', "The compiler doesn't check array bounds at run time."],
      ['"never"', 'Anna May Wong married in California.', 'Anna May Wong never married in California.'],
      ['"fails to"', 'The filter removes lead from the water.', 'The filter fails to remove lead from the water.'],
      ['"without"', 'The driver works with a native library.', 'The driver works without a native library.'],
      ['a negated word', 'The treatment is effective against malaria.', 'The treatment is ineffective against malaria.'],
      ['"no longer", now', 'The server supports version 2 of the protocol.', 'The server no longer supports version 2 of the protocol.'],
    ],
    [
      ['what is hard', 'A leak in the pipe is hard to exclude.', 'A leak in the pipe cannot be excluded.'],
      [
        'a failure that tells when',
        'The bank had 31 open findings, about three times the average, when it failed.',
        'The bank had 31 open findings, about three times the average.',
      ],
      ['two negations', 'The cache never fails to return the newest value.', 'The cache returns the newest value.'],
      ['"not only"', 'The tool formats not only code but whole documents.', 'The tool formats code and whole documents.'],
      ['an exception', 'Nobody but the keeper may open the gate of the lock.', 'The keeper may open the gate of the lock.'],
      ['"no longer", before', 'Owen Wright competed on the tour.', 'Owen Wright no longer competes on the tour.'],
      ['another object', 'Antibiotics are effective against bacteria.', 'Antibiotics are not effective against viruses.'],
      ['a special case denied', 'The parser accepts comments in files.', 'The parser does not accept comments in strict files.'],
      ['a possibility', 'The drug may cause headaches in children.', 'The drug may not cause headaches in children.'],
      ['some and some others', 'Some users saw the new layout.', 'Some users did not see the new layout.'],
      ['a condition', 'The server does not retry requests unless asked.', 'The server retries requests.'],
      ['what somebody says', 'The bridge is not safe for trains.', 'Critics claim that the bridge is safe for trains.'],
      ['the least of all', 'The Kelm palace is the least crowded of the palaces.', 'The Kelm palace is hardly ever crowded.'],
      ['a contrast', 'The repository is private, not public.', 'The repository is private for members.'],
    ],
  ],
  [
    'quantity',
    [
      ['another count', 'Focus released 12 studio albums.', 'Focus released seven studio albums.'],
      ['another unit', 'The tower is 324 metres high.', 'The tower is 800 feet high.'],
      ['a bound that is not kept', 'The battery lasts at most 10 hours.', 'The battery lasts 14 hours.'],
      ['a range that is missed', 'The trial enrolled between 300 and 400 patients.', 'The trial enrolled 900 patients.'],
      ['the same year', 'In 2020 the city had 2.1 million inhabitants.', 'The city had 3.4 million inhabitants in 2020.'],
    ],
    [
      ['another year', 'In 2010 the city had 2.1 million inhabitants.', 'In 2020 the city had 3.4 million inhabitants.'],
      ['a year on one side alone', 'The city had 2.1 million inhabitants.', 'In 2020 the city had 3.4 million inhabitants.'],
      ['a rounding', 'The distance by rail is 402 kilometres.', 'The distance by rail is 400 kilometres.'],
      ['a bound that is kept', 'Terence Blacker has written over 20 books.', 'Terence Blacker has written 27 books.'],
      ['two lower bounds', 'Julia Faye appeared in more than 200 films.', 'Julia Faye appeared in at least 30 films.'],
      ['a range that is met', 'The trial enrolled 300–400 patients.', 'The trial enrolled 350 patients.'],
      ['other things counted', 'Andrew Shue has three sons.', 'Andrew Shue has two stepdaughters.'],
      ['"by" and "to"', 'Sales rose by 12 million euros.', 'Sales rose to 80 million euros.'],
      ['a part of it', 'Craig Morton played 18 seasons.', 'Craig Morton played three seasons for Denver.'],
    ],
  ],
  [
    'direction',
    [
      ['a rise and a fall', 'Unemployment rose in Spain in 2012.', 'Unemployment fell in Spain in 2012.'],
      ['sides exchanged', 'Brazil defeated Italy in the final of 1994.', 'Italy defeated Brazil in the final of 1994.'],
      ['a comparison turned', 'Jupiter is larger than Saturn.', 'Jupiter is smaller than Saturn.'],
    ],
    [
      ['a comparison told from the other side', 'Jupiter is larger than Saturn.', 'Saturn is smaller than Jupiter.'],
      ['a negated antonym', 'The plugin is not enabled on this route.', 'The plugin is disabled on this route.'],
      ['another time', 'Unemployment rose in Spain in 2012.', 'Unemployment fell in Spain in 2016.'],
      ['another place', 'Unemployment rose in Spain in 2012.', 'Unemployment fell in Germany in 2012.'],
      ['another object', 'The index increases the size of the data.', 'The index decreases the time of a lookup.'],
      ['what can both be', 'Ben Lummis won his first race in Monaco.', 'Ben Lummis won his last race in Monaco.'],
    ],
  ],
  [
    'value',
    [
      ['another year of birth', 'Jean Daullé was born in Abbeville in 1703.', 'Jean Daullé (1735–1797) was an engraver.'],
      ['another day of birth', 'Owen Wright was born on January 16, 1990.', 'Owen Wright was born on 12 December 1990.'],
      ['another place of death', 'Ada Byron died in Paris in 1852.', 'Ada Byron died in London in 1852.'],
      ['another nation', 'Focus is a Dutch rock band.', 'Focus is an English rock band.'],
      ['another month of a start', 'The dig started on 31 July 2027.', 'The dig started on 31 January 2027.'],
      ['another year of a rule', 'The Kelm Act applies from 31 July 2026.', 'The Kelm Act applies from 31 July 2027.'],
      ['another month of a plan', 'The tunnel is to be running by July 2027.', 'The tunnel is to be running by January 2027.'],
      ['another month of a duty', 'Each plant must be ready by July 2027.', 'Each plant must be ready by January 2027.'],
      ['another founding', 'Weir Group was established in 1871 in Glasgow.', 'Weir Group was established in 1898 in Glasgow.'],
      ['another author', 'The novel Emma was written by Jane Austen.', 'Charlotte Brontë wrote the novel Emma.'],
      ['another capital', 'The capital of Australia is Canberra.', 'Sydney is the capital of Australia.'],
      ['another default', 'The default port of the database is 5432.', 'The default port of the database is 3306.'],
    ],
    [
      ['a birth and a death', 'Jean Daullé was born in Abbeville in 1703.', 'Jean Daullé died in Paris in 1763.'],
      ['a relative', 'The mother of Julia Faye was born in 1868.', 'Julia Faye was born in 1892.'],
      ['a less precise date', 'Owen Wright was born in January 1990.', 'Owen Wright was born on January 16, 1990.'],
      ['a wider place', 'Shayne Neumann was born in Ipswich, Queensland.', 'Shayne Neumann was born in Australia.'],
      ['a wider nation', 'Terence Blacker is an English author.', 'Terence Blacker is a British author.'],
      ['one of several authors', 'Radium was discovered by Marie and Pierre Curie.', 'Marie Curie discovered the element radium.'],
      ['one of several founders', 'CafeMom was co-founded by Andrew Shue.', 'CafeMom was co-founded by Michael Sanchez.'],
      ['months in which it is so', 'The lake is frozen in January 2027.', 'The lake is frozen in February 2027.'],
      ['what happens again', 'The conference was held in Geneva in 1955.', 'The conference was held in Geneva in 1958.'],
      ['one of many works', 'Taral Hicks released a single in 1994.', 'Taral Hicks released a single in 1997.'],
      ['an initial', 'The bridge was designed by Benjamin Baker.', 'The bridge was designed by B. Baker.'],
      ['another namesake', 'Robert Smith Jr. was born in 1944.', 'Robert Smith was born in 1912.'],
      ['another capital', 'The capital of Australia is Canberra.', 'The capital of Austria is Vienna.'],
    ],
  ],
])('the cue of %s', (cue, contradicting, compatible) => {
  it.each(contradicting)('is found by %s', (_, left, right) => {
    expect([cueFoundIn(left, right), cueFoundIn(right, left)]).toEqual([cue, cue]);
  });

  it.each(compatible)('is not seen in %s', (_, left, right) => {
    expect([cueFoundIn(left, right), cueFoundIn(right, left)]).toEqual([null, null]);
  });
});

describe('contradictions between the labelled sentence pairs', () => {
  it('are symmetric', () => {
    for (const { left, right } of pairs) expect([left, right, cueFoundIn(left, right)]).toEqual([left, right, cueFoundIn(right, left)]);
  });

  it('are never found between a sentence and itself', () => {
    for (const sentence of pairs.flatMap(({ left, right }) => [left, right]))
      expect([sentence, cueFoundIn(sentence, sentence)]).toEqual([sentence, null]);
  });

  it.each(CONTRADICTION_CUES)('are right in nine of ten cases where they are found by %s', (cue) => {
    const found = pairs.filter((pair) => !isForTuning(pair) && cueFoundIn(pair.left, pair.right) === cue);
    expect(found.length).toBeGreaterThanOrEqual(10);
    expect(found.filter((pair) => pair.cue === cue).length / found.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe('an amount', () => {
  const separated = (value: number): string => value.toLocaleString('en-US');
  const forms: Record<string, (value: number) => string> = {
    digits: (thousands) => `${String(thousands * 1_000)} metres`,
    separators: (thousands) => `${separated(thousands * 1_000)} metres`,
    'another unit': (thousands) => `${String(thousands)} kilometres`,
    scale: (thousands) => `${String(thousands)} thousand metres`,
    'a smaller unit': (thousands) => `${separated(thousands * 100_000)} cm`,
    approximately: (thousands) => `about ${separated(thousands * 1_000)} m`,
    'a bound': (thousands) => `more than ${separated(thousands * 1_000 - 1)} metres`,
  };
  const form = fc.constantFrom(...Object.values(forms));

  it('never contradicts itself, however it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 13, max: 9_000 }), form, form, (value, one, other) => {
        const sentence = (write: (value: number) => string): string => `The cable of the bridge has a length of ${write(value)}.`;
        return cueFoundIn(sentence(one), sentence(other)) === null;
      }),
    );
  });

  it('contradicts twice as much, however both are written', () => {
    const exact = fc.constantFrom(forms.digits, forms.separators, forms['another unit'], forms.scale, forms['a smaller unit']);
    fc.assert(
      fc.property(fc.integer({ min: 13, max: 4_000 }), exact, exact, (value, one, other) => {
        const sentence = (length: string | undefined): string => `The cable of the bridge has a length of ${String(length)}.`;
        return cueFoundIn(sentence(one?.(value)), sentence(other?.(2 * value))) === 'quantity';
      }),
    );
  });
});

it('is not found between what hardly happens and a cell that says how much of it there is', () => {
  const one = 'Logical replication allows an upgrade with almost no downtime.';
  const table = '| Way | Downtime |\n| --- | --- |\n| Logical replication | Seconds |';
  const disputed = (text: string) =>
    synthesisOf(reported('provider-a', text, []), reported('provider-b', table, [])).claims.filter(
      ({ contradicting }) => contradicting.length > 0,
    );
  expect(disputed(one)).toEqual([]);
  expect(disputed(one.replace('almost ', ''))).not.toEqual([]);
});

describe('a contradicted claim', () => {
  const steps = [
    reported('provider-a', 'Jean Daullé was an engraver. He was born in 1703 in Abbeville [1].', ['https://a.example/']),
    reported('provider-b', 'Jean Daullé was a painter of portraits. He was born in 1735 in Abbeville [1].', ['https://b.example/']),
  ];

  it('records both quotes and the cue', () => {
    const synthesis = synthesisOf(...steps);
    expectVerbatim(synthesis, steps);
    const disputed = synthesis.claims.filter(({ contradicting }) => contradicting.length > 0);
    const quotes = disputed.map(({ supporting, contradicting }) => [
      supporting[0]?.quote,
      contradicting.map(({ quote, cue }) => [quote, cue]),
    ]);
    const [one, other] = ['He was born in 1703 in Abbeville [1].', 'He was born in 1735 in Abbeville [1].'];
    expect(quotes).toEqual([
      [one, [[other, 'value']]],
      [other, [[one, 'value']]],
    ]);
  });

  it('is not one because a step failed or says nothing of it', () => {
    const [first] = steps;
    const silent = reported('provider-b', 'The harbour of Brest was built of granite by monks [1].', ['https://b.example/']);
    const failure = {
      ...silent,
      status: 'failed' as const,
      reportMarkdown: '',
      citations: [],
      errorMessage: 'He was not born in 1703 in Abbeville.',
    };
    for (const other of [silent, failure])
      for (const { contradicting } of synthesisOf(...(first ? [first] : []), other).claims) expect(contradicting).toEqual([]);
  });

  it('is not one where a report speaks of two persons of one name', () => {
    const two = 'Jean Daullé was born in 1735 in Brest [1]. Jean Daullé was born in 1802 in Nantes [1].';
    const [first] = steps;
    for (const { contradicting } of synthesisOf(...(first ? [first] : []), reported('provider-b', two, ['https://b.example/'])).claims)
      expect(contradicting).toEqual([]);
  });
});
