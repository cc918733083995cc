import fc from '../support/properties';
import { readingOf } from '@lib/language/reading/read-text';
import type { Token } from '@lib/language/reading/token';
import { CommonSubsequence } from '@lib/synthesis/alignment/common-subsequence';
import { conflictBetween } from '@lib/synthesis/difference/conflict-between';
import { alignWords } from '@lib/synthesis/alignment/edits';
import { Partings } from '@lib/synthesis/alignment/partings';
import { isSame } from '@lib/synthesis/alignment/same-word';
import { differenceBetween } from '@lib/synthesis/difference/difference';
import { WordRow } from '@lib/synthesis/alignment/word-row';
import { reported, synthesisOf } from './steps';

function claimsOf(first: string, second: string) {
  const steps = [reported('provider-a', first, ['https://a.example/1']), reported('provider-b', second, ['https://b.example/1'])];
  return synthesisOf(...steps).claims;
}

const textsOf = (first: string, second: string): string[] => claimsOf(first, second).map(({ claim }) => claim);

/** A claim that both reports support, however sure it is of itself. */
function joined(first: string, second: string): string[] {
  return claimsOf(first, second)
    .filter(({ supporting }) => supporting.length > 1)
    .map(({ claim }) => claim);
}

function disputed(first: string, second: string): string[] {
  return [...new Set(claimsOf(first, second).flatMap(({ contradicting }) => contradicting.map(({ cue }) => cue)))];
}

describe('two sentences that differ in a word', () => {
  it.each([
    ['an opposite', 'The council built the old bridge of Kelm in 1840 [1].', 'The council demolished the old bridge of Kelm in 1840 [1].'],
    [
      'a prefix',
      'The college opened its only on-campus hall for students [1].',
      'The college opened its only off-campus hall for students [1].',
    ],
    ['a limit', 'The drug is used for patients with severe asthma [1].', 'The drug is only used for patients with severe asthma [1].'],
    ['a plan', 'The company will open a new plant for batteries in Kelm [1].', 'The company opened a new plant for batteries in Kelm [1].'],
    ['a side', 'The minister voted for the new law on water [1].', 'The minister voted against the new law on water [1].'],
    ['whether all', 'All farmers of the valley own a private well [1].', 'Most farmers of the valley own a private well [1].'],
    ['how many', 'Many farmers of the valley own a private well [1].', 'Few farmers of the valley own a private well [1].'],
    [
      'a place',
      'The trial of the vaccine took place in Leipzig hospitals [1].',
      'The trial of the vaccine took place in Munich hospitals [1].',
    ],
    [
      'an exchange of roles',
      'Ada Kelm replaced Karl Weil at the observatory [1].',
      'Ada Kelm was replaced by Karl Weil at the observatory [1].',
    ],
    ['something other than', 'The oldest mill is called Kelm Hall [1].', 'The oldest mill is called something other than Kelm Hall [1].'],
    ['what is yet to come', 'The bridge has been opened to the public [1].', 'The bridge has yet to be opened to the public [1].'],
    ['a refusal', 'The court agreed to hear the appeal of the miners [1].', 'The court refused to hear the appeal of the miners [1].'],
  ])('are not joined: %s', (_name, first, second) => {
    expect([joined(first, second), joined(second, first)]).toEqual([[], []]);
  });

  it.each([
    ['polarity', 'The vaccine prevents severe disease in adults [1].', 'The vaccine does not prevent severe disease in adults [1].'],
    ['polarity', 'The court agreed to hear the appeal of the miners [1].', 'The court refused to hear the appeal of the miners [1].'],
    ['direction', 'The new tax is mandatory for all foreign companies [1].', 'The new tax is voluntary for all foreign companies [1].'],
    ['quantity', 'The valley has several hospitals for children [1].', 'The valley has a single hospital for children [1].'],
    ['value', 'The factory of the Kelm brothers is located in Leipzig [1].', 'The factory of the Kelm brothers is located in Munich [1].'],
    [
      'polarity',
      'The agency approved the vaccine for infants in Portugal [1].',
      'The agency failed to approve the vaccine for infants in Portugal [1].',
    ],
    [
      'polarity',
      'The library uses native threads for large files [1].',
      'The library does not utilize native threads for large files [1].',
    ],
    ['polarity', 'The resin is used for the repair of violins [1].', 'The resin is not utilized for the repair of violins [1].'],
    [
      'polarity',
      'The museum of Kelm was named among the best in Selmania [1].',
      'The museum of Kelm was refused a place among the best in Selmania [1].',
    ],
    ['polarity', 'The valve regulates the flow of steam [1].', 'The valve is unable to regulate the flow of steam [1].'],
    ['direction', 'Kelm Hall is the largest theatre in the valley [1].', 'Kelm Hall is the smallest theatre in the valley [1].'],
    ['direction', 'The results of the second trial were much better [1].', 'The results of the second trial were clearly worse [1].'],
    ['value', 'The current director of the institute is Jana Kelm [1].', 'The current director of the institute is Ruth Kelm [1].'],
    [
      'quantity',
      'The survey recorded 137 different bird species in the reserve [1].',
      'The survey recorded only 7 different bird species in the reserve [1].',
    ],
    [
      'value',
      'The completion of the northern railway tunnel is expected in 2018 [1].',
      'The completion of the northern railway tunnel is scheduled for 2020 [1].',
    ],
    ['value', 'The Custody Act took effect on 1 July 2017 [1].', 'The Custody Act came into force on 1 January 2019 [1].'],
    ['value', 'Lumen was created by Tessa Grahl in 2011 [1].', 'Lumen was created in 2011 by Ravi Menon [1].'],
    ['polarity', 'The bay is home to non-migratory herons [1].', 'The bay is home to migratory herons [1].'],
    ['value', 'The largest exporter of rice in the region is Selmania [1].', 'The largest exporter of rice in the region is Ortania [1].'],
    ['value', 'Ms Weil was the first judge of the tax court [1].', 'Ms Weil was the third judge of the tax court [1].'],
    [
      'value',
      'The Norva oil company of Selmania was established in June 2008 by Kelm [1].',
      'The Norva oil company of Selmania was established in March 2011 by Weil [1].',
    ],
    [
      'value',
      'Okoro joined the staff of the national museum as a curator in 1942 [1].',
      'Okoro joined the staff of the national museum as a driver in 1942 [1].',
    ],
    [
      'direction',
      'The survey finds that the new method increased the yield of wheat in Spain [1].',
      'The survey finds that the new technique decreased the yield of wheat in Spain [1].',
    ],
    [
      'quantity',
      'The $194 million contract was awarded to Kelm Builders in 2014 [1].',
      'The $145 million contract was given to Kelm Builders in 2014 [1].',
    ],
    [
      'value',
      'Glass was first introduced to the valley of Kelm in 1300 [1].',
      'Glass was first introduced to the valley of Kelm in the 1930s [1].',
    ],
    [
      'value',
      'Glass was first introduced to the valley of Kelm in the 17th century [1].',
      'Glass was first introduced to the valley of Kelm in the 19th century [1].',
    ],
    ['direction', 'The fund of Kelm charges an annual fee of 2 percent [1].', 'The fund of Kelm charges a monthly fee of 2 percent [1].'],
    ['value', 'The reserve holds the largest colony of terns [1].', 'The reserve holds the second largest colony of terns [1].'],
    ['value', 'The flaw affects all versions of Larkdb before 2.3.1 [1].', 'The flaw affects all versions of Larkdb before 2.3.4 [1].'],
    ['polarity', 'The key may be used to unlock the old car [1].', 'The key can never be used to unlock the old car [1].'],
    ['polarity', 'The panel found that pills prevent falls [1].', 'The panel found that pills do not prevent falls [1].'],
    ['polarity', 'Thujone is an antagonist of serotonin [1].', 'Thujone is, however, not an antagonist of serotonin [1].'],
    ['polarity', 'Most firms of Kelm use the metric system [1].', 'Most firms of Kelm do not use the metric system [1].'],
    ['direction', 'Rovers beat United 3-1 in the final [1].', 'United beat Rovers 3-1 in the final [1].'],
    [
      'direction',
      'The Kelm court upheld the ruling on trams in 2003 [1].',
      'In 2003, the ruling on trams was overturned by the Kelm court [1].',
    ],
    [
      'polarity',
      'The vaccine that Kelm developed did not prevent infection [1].',
      'The vaccine that Kelm developed prevented infection [1].',
    ],
    ['polarity', 'By that time the Kelm bridge had not been rebuilt [1].', 'By that time the Kelm bridge had been rebuilt [1].'],
    [
      'polarity',
      'The bridge that crosses the Arven did not collapse in 2019 [1].',
      'The bridge that crosses the Arven collapsed in 2019 [1].',
    ],
    ['polarity', 'Ada Kelm left the board of the bank in 2019 [1].', 'Ada Kelm never left the board of the bank in 2019 [1].'],
    ['value', 'Judge Helena Sorby wrote the opinion of the court [1].', 'The opinion of the court was written by Judge Ruth Adler [1].'],
    ['value', 'Aldermere was acquired by Castell Holdings in 2023 [1].', 'Aldermere was acquired by Merrow Group in 2023 [1].'],
  ])('dispute it by %s', (cue, first, second) => {
    expect([disputed(first, second), disputed(second, first)]).toEqual([[cue], [cue]]);
  });

  it.each([
    [
      'what is only added',
      'The Kelm law protects the forests of the valley [1].',
      'The Kelm law protects the forests of the valley from new roads [1].',
    ],
    [
      'words that mean one thing together',
      'The Custody Act took effect on 1 July 2017 [1].',
      'The Custody Act entered into force on July 1, 2017 [1].',
    ],
    [
      'a verb that only carries its noun',
      'Meridian was fined $45 million for price fixing [1].',
      'A fine of 45 million dollars was imposed on Meridian for price fixing [1].',
    ],
    ['a number in words', 'The Kelm archive holds three million printed books [1].', 'The Kelm archive holds 3,000,000 printed books [1].'],
  ])('are joined over %s', (_name, first, second) => {
    expect(joined(first, second)).toHaveLength(1);
    expect(disputed(first, second)).toEqual([]);
  });

  it.each([
    [
      'one of two alternatives',
      'Misleading information to the Kelm authority costs up to 7.5 million euros [1].',
      'Incorrect or misleading information to the Kelm authority costs up to 7.5 million euros [1].',
    ],
    [
      'a common word for which there are others',
      'Dropout was higher in the fasting arm at 38% against 29% [1].',
      'Dropout was higher in the fasting group at 38% against 29% [1].',
    ],
    [
      'two words for leaving',
      'Selmania left in November 2020, rejoined in February 2021 [1].',
      'Selmania withdrew in 2020, rejoined in 2021 [1].',
    ],
    [
      'a thing that is only described',
      "A very leaky house that you can't insulate first [1].",
      'Insulate or enlarge the radiators first [1].',
    ],
    ['how it was done', 'The eye evolved more than 60 times [1].', 'The eye evolved independently more than 60 times [1].'],
  ])('are not disputed over %s', (_name, first, second) => {
    expect([disputed(first, second), disputed(second, first)]).toEqual([[], []]);
  });

  it.each([
    ['of another subject', 'The mother of Ada Kelm was born in Rome [1].', 'Ada Kelm was born in Paris [1].'],
    ['that have two parents', 'Ada Kelm was the second daughter of Karl Kelm [1].', 'Ada Kelm was the second daughter of Rosa Weil [1].'],
    ['of two cases', 'The engine uses less fuel at low speed [1].', 'The engine uses more fuel at high speed [1].'],
    ['of two times', 'The compiler does not check types at run time [1].', 'The compiler checks types at build time [1].'],
    [
      'of two terms',
      'Ada Kelm was president of the board from 2008 to 2011 [1].',
      'Ada Kelm was president of the board from 2015 to 2016 [1].',
    ],
    [
      'of two things in a list',
      'The kit also includes a red lamp for the tent [1].',
      'The kit also includes a red stove for the tent [1].',
    ],
    [
      'in other words',
      'Ada Kelm is considered one of the greatest players of all time [1].',
      'Ada Kelm is regarded as one of the greatest players of all time [1].',
    ],
    [
      'of two conditions',
      'The server does not retry requests unless a policy is set [1].',
      'The server retries requests when a policy is set [1].',
    ],
    ['of two releases', 'In 2015 the band released Tides for the label [1].', 'In 2015 the band released Embers for the label [1].'],
    [
      'of two pools that a hotel may have',
      'The hotel of Kelm on the Weil offers indoor pools to all guests [1].',
      'The hotel of Kelm on the Weil offers outdoor pools to all guests [1].',
    ],
    ['of two versions', 'Quillbase 4.2 dropped support for Windows 7 [1].', 'Quillbase 5.0 dropped support for Windows 8 [1].'],
    [
      'of two games',
      'Marta Weil won the 1,500 metres at the 2007 Nordic Games [1].',
      'Marta Weil won the 800 metres at the 2009 Nordic Games [1].',
    ],
    [
      'of a loss in other words',
      'The glacier lost 2 tonnes of ice in 2018 [1].',
      'In 2018, 2 tonnes of ice were lost from the glacier [1].',
    ],
    ['of two servers', 'The server listens on port 8080 by default [1].', 'The admin server listens on port 9090 by default [1].'],
    [
      'of a year and its decade',
      'Glass was introduced to the valley of Kelm in 1934 [1].',
      'Glass was introduced to the valley of Kelm in the 1930s [1].',
    ],
    [
      'of a year and its century',
      'Glass was introduced to the valley of Kelm in 1834 [1].',
      'Glass was introduced to the valley of Kelm in the 19th century [1].',
    ],
    [
      'of two fees',
      'The fund of Kelm charges an annual fee of 2 percent [1].',
      'The fund of Kelm charges a monthly fee of 1 percent in summer [1].',
    ],
    ['of two fixes', 'Version 2.3.1 of Larkdb fixed the leak of files [1].', 'Version 2.3.4 of Larkdb fixed the leak of files [1].'],
    ['of what may be and is not', 'The key may be used to unlock the old car [1].', 'The key is not used to unlock the old car [1].'],
    [
      'of some who do and some who do not',
      'Some firms of Kelm use the metric system [1].',
      'Some firms of Kelm do not use the metric system [1].',
    ],
    ['of one match in two voices', 'Rovers beat United 3-1 in the final [1].', 'United were beaten 3-1 by Rovers in the final [1].'],
    [
      'of a comparison in two voices',
      'Bogs store more carbon than the forests of Kelm [1].',
      'More carbon is stored in bogs than in the forests of Kelm [1].',
    ],
    ['with two negations', 'The drug is not ineffective against malaria [1].', 'The drug is effective against malaria [1].'],
  ])('dispute nothing when they are statements %s', (_name, first, second) => {
    expect([disputed(first, second), disputed(second, first)]).toEqual([[], []]);
  });
});

it('what several reports say word for word is disputed by each of the reports that say otherwise', () => {
  const [one, other] = ['The tax is mandatory for all foreign companies [1].', 'The tax is voluntary for all foreign companies [1].'];
  const steps = (['provider-a', 'provider-b', 'provider-c', 'provider-d'] as const).map((provider, at) =>
    reported(provider, at % 2 === 0 ? one : other, [`https://${provider}.example/1`]),
  );
  const sides = synthesisOf(...steps).claims.map(({ supporting, contradicting }) =>
    [supporting, contradicting].map((statements) => statements.map(({ provider }) => provider).join(' ')),
  );
  expect(sides.toSorted()).toEqual([
    ['provider-a provider-c', 'provider-b provider-d'],
    ['provider-b provider-d', 'provider-a provider-c'],
  ]);
});

describe('what two sentences begin with', () => {
  it.each([
    [
      'without its complement',
      'The robot does not use suction, but will climb on spines [1].',
      'The robot does not use suction, and will never climb on spines [1].',
      'The robot does not',
    ],
    [
      'within a date',
      'The road was opened on July 30, 1938, from Kelm to Rome [1].',
      'The road was opened on July 30, 1951, from Pisa to Bari [1].',
      'The road was opened on July 30',
    ],
    [
      'before a second verb',
      'The army was said to have killed and wounded several farmers [1].',
      'The army was said to have killed but not wounded several farmers [1].',
      'The army was said to have killed',
    ],
  ])('is no claim %s', (_name, first, second, fragment) => {
    expect(joined(first, second)).not.toContain(fragment);
  });

  it('is said by both when a list goes on differently', () => {
    expect(joined('Ada Kelm is a data scientist and painter [1].', 'Ada Kelm is a data scientist and teacher [1].')).toEqual([
      'Ada Kelm is a data scientist.',
    ]);
  });
});

it('a participle before the subject is a sentence of its own', () => {
  const steps = [
    reported('provider-a', 'Born in Rome in 1905, Ada Kelm began to act at the age of 17 [1].', ['https://a.example/1']),
    reported('provider-b', 'Ada Kelm was born in Rome in 1905 [1].', ['https://b.example/1']),
  ];
  const texts = synthesisOf(...steps).claims.map(({ claim, supporting }) => [claim, supporting.length]);
  expect(texts).toContainEqual(['Ada Kelm was born in Rome in 1905.', 2]);
  expect(texts).toContainEqual(['Ada Kelm began to act at the age of 17.', 1]);
});

describe('the alignment of words', () => {
  it('takes words that mean the same as equal', () => {
    const [left, right] = [readingOf('The team began the tunnel in May.'), readingOf('The team started the tunnel in May.')];
    expect(alignWords(left, right).edits).toEqual([]);
  });

  const word = fc.constantFrom(...'The drug was not used in 2014 by Ada Kelm for many patients only before began started Rome'.split(' '));
  const sentence = fc.array(word, { minLength: 1, maxLength: 14 }).map((words) => `${words.join(' ')}.`);

  it('finds nothing between a sentence and itself, and the same from both sides', () => {
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        const [left, right] = [readingOf(one), readingOf(other)];
        expect(alignWords(left, left).edits).toEqual([]);
        const [there, back] = [alignWords(left, right), alignWords(right, left)];
        expect(there.shared + there.moved).toBeLessThanOrEqual(Math.min(left.tokens.length, right.tokens.length));
        for (const { left: mine, right: yours } of [...there.edits, ...back.edits]) expect(mine.length + yours.length).toBeGreaterThan(0);
        expect(differenceBetween(left, left)).toBe('none');
      }),
    );
  });

  it('keeps the order of the words on each side', () => {
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        const [left, right] = [readingOf(one), readingOf(other)];
        const { edits } = alignWords(left, right);
        for (const side of ['left', 'right'] as const) {
          const starts = edits.flatMap((edit) => edit[side].map(({ start }) => start));
          expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('finds the same conflict among many statements as between two', () => {
    const partings = new Partings();
    const found = new Set<unknown>();
    const begun = fc.array(word, { minLength: 4, maxLength: 10 });
    fc.assert(
      fc.property(begun, fc.nat(9), word, fc.boolean(), (words, at, exchanged, isPut) => {
        const other = words.toSpliced(at, isPut ? 1 : 0, exchanged);
        const [left, right] = [readingOf(words.join(' ')), readingOf(other.join(' '))];
        const difference = differenceBetween(left, right);
        const conflict = difference === 'none' || difference === 'unclear' ? null : difference;
        expect(conflictBetween(new WordRow(left), new WordRow(right), partings, false)).toBe(conflict);
        found.add(conflict);
      }),
      { numRuns: 1_000 },
    );
    expect(found.size).toBeGreaterThan(2);
  });

  it('takes the steps of a table of all lengths, also through sentences of more words than a number has bits', () => {
    const steps = new CommonSubsequence();
    const long = fc.array(word, { minLength: 40, maxLength: 90 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.oneof(sentence, long), fc.oneof(sentence, long), (one, other) => {
        const [mine, yours] = [new WordRow(readingOf(one)), new WordRow(readingOf(other))];
        const { tokens: left } = mine;
        const { tokens: right } = yours;
        steps.compare(mine, yours);
        const [begin, leftEnd, rightEnd] = betweenCommonEnds(left, right);
        for (const { l, r, step } of plainSteps(left.slice(begin, leftEnd), right.slice(begin, rightEnd)))
          expect([l, r, steps.at(begin + l, begin + r)]).toEqual([l, r, step]);
      }),
    );
  });
});

function areSame(mine: Token | undefined, yours: Token | undefined): boolean {
  return mine !== undefined && yours !== undefined && isSame(mine.word, yours.word);
}

function betweenCommonEnds(left: readonly Token[], right: readonly Token[]): [number, number, number] {
  let [begin, leftEnd, rightEnd] = [0, left.length, right.length];
  while (begin < Math.min(leftEnd, rightEnd) && areSame(left[begin], right[begin])) begin += 1;
  for (; Math.min(leftEnd, rightEnd) > begin && areSame(left[leftEnd - 1], right[rightEnd - 1]); leftEnd -= 1) rightEnd -= 1;
  return [begin, leftEnd, rightEnd];
}

/** By the length of what is common from each two words on; where both could go first, the left one does. */
function plainSteps(left: readonly Token[], right: readonly Token[]): { l: number; r: number; step: string }[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const lengthFrom = (l: number, r: number): number => lengths[l]?.[r] ?? 0;
  for (let l = left.length - 1; l >= 0; l -= 1) {
    const row = lengths[l] ?? [];
    for (let r = right.length - 1; r >= 0; r -= 1)
      row[r] = areSame(left[l], right[r]) ? lengthFrom(l + 1, r + 1) + 1 : Math.max(lengthFrom(l + 1, r), lengthFrom(l, r + 1));
  }
  const steps = [];
  for (let [l, r] = [0, 0]; l < left.length || r < right.length;) {
    const alone = l < left.length && (r === right.length || lengthFrom(l + 1, r) >= lengthFrom(l, r + 1)) ? 'left' : 'right';
    const step = areSame(left[l], right[r]) ? 'both' : alone;
    steps.push({ l, r, step });
    if (step !== 'right') l += 1;
    if (step !== 'left') r += 1;
  }
  return steps;
}

describe('a number in several words', () => {
  it.each([
    ['Forty-four countries signed the Brandal Accord in Lisbon [1].', 'The Brandal Accord was signed by 44 countries in Lisbon [1].'],
    ['The castle of Kelm has two hundred and fifty thousand visitors a year [1].', 'The castle of Kelm has 250,000 visitors a year [1].'],
    ['Twenty-one people died in the fire at Corvin [1].', '21 people died in the fire at Corvin [1].'],
    ['Two hundred and one people died in the fire at Corvin [1].', '201 people died in the fire at Corvin [1].'],
    ['Two thousand two hundred people died in the fire at Corvin [1].', '2,200 people died in the fire at Corvin [1].'],
  ])('is the same in digits: %s', (first, second) => {
    expect(joined(first, second)).toHaveLength(1);
    expect(disputed(first, second)).toEqual([]);
  });

  it.each([
    ['Two hundred people died in the fire at Corvin [1].', '300 people died in the fire at Corvin [1].'],
    ['Twenty-one people died in the fire at Corvin [1].', 'Twenty-nine people died in the fire at Corvin [1].'],
  ])('is disputed with another: %s', (first, second) => {
    expect(joined(first, second)).toEqual([]);
    expect(disputed(first, second)).toEqual(['quantity']);
  });
});

it('gives what was done to something its auxiliary where it is told after "was led by"', () => {
  expect(textsOf('The study was led by Ines Carvalho and published in 2019 [1].', 'Ines Carvalho led the study [1].')).toContain(
    '[The study was] published in 2019.',
  );
});

describe('what has the words of a statement and does not say it', () => {
  it.each([
    ['doubts it', 'Bob Hale was a spy [1].', 'Bob Hale was a suspected spy, best known for his book on codes [1].', 'spy'],
    ['imitates it', 'Hale played in the rock band Queen, Kiss [1].', 'Hale played in a Queen tribute band, Kiss [1].', 'Queen'],
    [
      'does not restrict it',
      'The Reporter appears in just English [1].',
      'The Reporter appears in both English and Amharic [1].',
      'English',
    ],
    [
      'does it to another',
      'The jury convicted Ada Lovelace, Bea Holm in 2001 [1].',
      'The jury acquitted Ada Lovelace and convicted Bea Holm in 2001 [1].',
      'Lovelace',
    ],
    [
      'puts other things in parentheses',
      'Norland won medals in rowing (gold), judo (silver) and archery (bronze) [1].',
      'Norland won medals in rowing (silver), judo (gold) and archery (bronze) [1].',
      'gold',
    ],
    [
      'names a longer title',
      'Ada Holm wrote the novel ‘Death in the Alps’ in 1999 [1].',
      'Ada Holm wrote the novel ‘Death in the Alps and Beyond’ in 1999 [1].',
      'Alps',
    ],
    [
      'names a sequel',
      'Koji designed the games Zelda, Metroid and Kirby [1].',
      'Koji designed the games Zelda 2, Metroid and Kirby [1].',
      'Zelda',
    ],
  ])('%s', (_, first, second, word) => {
    expect(joined(first, second).filter((claim) => claim.includes(word))).toEqual([]);
    expect(joined(second, first).filter((claim) => claim.includes(word))).toEqual([]);
  });

  it.each([
    ['what is said of May, with a day', 'Ada Holm joined the council in May 1999 [1].', 'Ada Holm joined the council on 2 May 1999 [1].'],
    ['the same in parentheses', 'Norland won medals in rowing (gold) [1].', 'In 2001 Norland won medals in rowing (gold) [1].'],
    ['a title as it is', 'Ada Holm wrote ‘Death in the Alps’ [1].', 'Ada Holm wrote ‘Death in the Alps’ in 1999 [1].'],
  ])('is not %s', (_, first, second) => {
    expect(joined(first, second)).toHaveLength(1);
  });
});

it('finds what "neither … nor" denies denied by it, and by nobody who says that it is not so', () => {
  const neither = 'Neither Norland nor Selmania have joined the Brandal Accord of 2004 [1].';
  expect(disputed(neither, 'Norland and Selmania have joined the Brandal Accord of 2004 [1].')).toEqual(['polarity']);
  expect(disputed(neither, 'Norland and Selmania have not joined the Brandal Accord of 2004 [1].')).toEqual([]);
});

describe('two statements of which neither says nor denies the other', () => {
  it.each([
    ['all and most', 'All farmers of the valley own a private well', 'Most farmers of the valley own a private well'],
    ['not all and most', 'Not all patients of the trial recovered', 'Most patients of the trial recovered'],
    ['all and about', 'Kelm sold all 40 trams in 1990', 'Kelm sold some 40 trams in 1990'],
    ['a film and its sequel', 'Ada Holm directed the film Kick in Norland', 'Ada Holm directed the film Kick 2 in Norland'],
  ])('stand side by side: %s', (_, first, second) => {
    expect(textsOf(`${first} [1].`, `${second} [1].`).sort()).toEqual([`${first}.`, `${second}.`].sort());
    expect(disputed(`${first} [1].`, `${second} [1].`)).toEqual([]);
  });
});

it.each([
  ['a score', 'Norland beat Kelm in the final of the Corvin Cup', 'Norland beat Kelm 3-1 in the final of the Corvin Cup'],
  ['a count', 'People died in Rome in the fire at the market', 'In Rome 20 people died in the fire at the market'],
  ['it', 'The parliament passed the Corvin Act in 1950', 'The parliament debated the Corvin Act for weeks and passed it in 1950'],
])('takes no other thing for what was meant because of %s', (_, first, second) => {
  expect(joined(`${first} [1].`, `${second} [1].`)).toEqual([`${first}.`]);
});

it.each([
  [
    'Kelm glacier lost 38 percent of its area between 1970 and 2015.',
    'Kelm glacier lost 52 percent of its volume between 1970 and 2015.',
    [],
  ],
  ['Dana Holt beat Corvo 3-1 in the final of 1992.', 'Dana Holt beat Corvo 2-0 in the group stage of 1992.', []],
  [
    'Kelm glacier lost 38 percent of its area between 1970 and 2015.',
    'Kelm glacier lost 52 percent of its area between 1970 and 2015.',
    ['quantity'],
  ],
  [
    'Kelm glacier lost 38 percent of its area, it is feared, from 1970 on.',
    'Kelm glacier lost 52 percent of its area, it is held, from 1970 on.',
    ['quantity'],
  ],
])('two amounts contradict each other where the same is measured: %s / %s', (first, second, cues) => {
  const cited = (sentence: string): string => sentence.replace(/\.$/, ' [1].');
  expect(disputed(cited(first), cited(second))).toEqual(cues);
});
