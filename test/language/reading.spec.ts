import fc from '../support/properties';
import { clausesOf } from '@lib/language/reading/clauses';
import { earlyEndsOf } from '@lib/language/reading/early-ends';
import { readingOf } from '@lib/language/reading/read-text';
import { after, partOf, replacing } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';

const textsOf = ({ tokens }: Reading): string[] => tokens.map(({ word }) => word.text);

/** Everything that a reading knows, in plain values. */
const everythingOf = (reading: Reading) => ({
  tokens: reading.tokens.map(({ word, start, end }) => [word.text, start, end]),
  wording: reading.wording,
  sets: [reading.stems, reading.subject, reading.numbers, reading.properWords, reading.terms].map((set) => [...set]),
  dates: reading.dates,
  amounts: reading.amounts,
  names: reading.names.map(({ parts }) => [...parts]),
  polarity: reading.polarity,
  tense: reading.tense,
  effects: reading.effects,
  directions: reading.directions.map(({ word }) => word.text),
  clauses: clausesOf(reading, 0, false),
  ends: earlyEndsOf(reading, { from: 0, to: reading.tokens.length, end: reading.text.length }),
});

describe('the words of a reading', () => {
  it.each<[string, string[]]>([
    ['The setErrorHandler of reply.send() costs $3.50', ['the', 'seterrorhandler', 'of', 'reply.send', 'costs', '$3.50']],
    ["Don't panic: v1.2.3, 1,000 at 12:30.", ["don't", 'panic', 'v1.2.3', '1,000', 'at', '12:30']],
    ['Ada’s long-running Straße', ['ada', 'long', 'running', 'straße']],
    ['مرحبا بالعالم', ['مرحبا', 'بالعالم']],
    ['', []],
  ])('%s', (text, expected) => {
    expect(textsOf(readingOf(text))).toEqual(expected);
  });
});

describe('the dates of a reading', () => {
  it.each<[string, [number, number | null, number | null][]]>([
    ['Born on 16 January 1990 in Rome.', [[1990, 1, 16]]],
    ['Born on January 16th, 1990, in Rome.', [[1990, 1, 16]]],
    [
      'Jean Daullé (1735–1797) was an engraver.',
      [
        [1735, null, null],
        [1797, null, null],
      ],
    ],
    ['It has 1990 pages of dense text.', []],
    ['It weighs 1,990 in kilograms.', []],
    ['Work began on 25.04.1859 at Ulm.', [[1859, 4, 25]]],
    ['It was released on 2025-09-25 at noon.', [[2025, 9, 25]]],
    ['It was sold on 26/07/1956.', [[1956, 7, 26]]],
    ['It was sold on 07/26/1956.', [[1956, 7, 26]]],
    ['It was sold on 04/05/1956.', [[1956, null, null]]],
    ['It runs version 25.14.1859 of it.', []],
  ])('%s', (text, expected) => {
    expect(readingOf(text).dates.map(({ year, month, day }) => [year, month, day])).toEqual(expected);
  });
});

describe('the amounts of a reading', () => {
  it.each<[string, [number, number, string][]]>([
    ['The tower is 324 metres high.', [[324, 324, 'length']]],
    ['The tower is 324m high.', [[324, 324, 'length']]],
    ['It takes at most 10 hours.', [[-Infinity, 36_000, 'time']]],
    ['It takes no more than 10 hours.', [[-Infinity, 36_000, 'time']]],
    ['It cost more than $4 million.', [[4e6, Infinity, 'dollars']]],
    ['It rose by 4 % in 1990.', [[4, 4, 'share']]],
    ['Between 300 and 400 patients came.', [[300, 400, 'patient']]],
    ['It took 300–400 patients.', [[300, 400, 'patient']]],
    ['It is 12–15 °C warm.', [[12, 15, 'celsius']]],
    ['It costs €4.9–5.1 billion.', [[4.9e9, 5.1e9, 'euros']]],
    ['It costs €4.9bn–€5.1bn.', [[4.9e9, 5.1e9, 'euros']]],
    ['They lost 1–3 in Ulm.', [[1, 1, '']]],
    ['The low is -2 °C.', [[-2, -2, 'celsius']]],
    ['It is between −5 and −2 °C.', [[-5, -2, 'celsius']]],
    ['Bake it at 212 °F.', [[100, 100, 'celsius']]],
    ['Bake it at 212 degrees Fahrenheit.', [[100, 100, 'celsius']]],
    ['Bake it at 230 degrees C.', [[230, 230, 'celsius']]],
    ['The low is -40 °F.', [[-40, -40, 'celsius']]],
    ['It rose to 212 °F.', [[100, 100, 'celsius']]],
    ['Bake it at 230 °C (450 °F).', [[230, 230, 'celsius']]],
    ['Bake it at 475 °F (245 °C).', [[(443 * 5) / 9, (443 * 5) / 9, 'celsius']]],
    [
      'It is 12 °C (11.9 °C in May) cold.',
      [
        [12, 12, 'celsius'],
        [11.9, 11.9, 'celsius'],
      ],
    ],
    ['The sea warmed by 9 °F.', [[9, 9, 'fahrenheit']]],
    ['A rise of 9 °F was seen.', [[9, 9, 'fahrenheit']]],
    ['The city is 9 °F warmer.', [[9, 9, 'fahrenheit']]],
    ['The slope is 40 degrees.', [[40, 40, 'degre']]],
    ['A change of −3 % came.', [[3, 3, 'share']]],
    ['It made EUR 1 234,5 million.', [[1_234_500_000, 1_234_500_000, 'euros']]],
    ['It made USD 3.2 billion.', [[3.2e9, 3.2e9, 'dollars']]],
    ['It costs about NOK 1 800–2 500.', [[1800, 2500, 'norwegian kroner']]],
    [
      "It has 5'412 seats and 1.234.567 tiles.",
      [
        [5412, 5412, 'seat'],
        [1_234_567, 1_234_567, 'tile'],
      ],
    ],
    ['It costs 1,5 million euros.', [[1.5e6, 1.5e6, 'euros']]],
    [
      'Table 5 120 patients took.',
      [
        [5, 5, ''],
        [120, 120, 'patient'],
      ],
    ],
    ['In the 1990s COVID-19 and version 3.2.1 were 1st.', []],
    [
      'She was eight at the time and has twenty-one cats.',
      [
        [8, 8, ''],
        [21, 21, 'cat'],
      ],
    ],
    ['It lasted three hours and twenty minutes.', [[12_000, 12_000, 'time']]],
    ['It lasted 3 h 20 min.', [[12_000, 12_000, 'time']]],
    ['It lasted at least 3 hours and 20 minutes.', [[12_000, Infinity, 'time']]],
    ['It lasted up to 3 hours 20 minutes.', [[-Infinity, 12_000, 'time']]],
    ['He got two years and six months.', [[30, 30, 'calendar']]],
    [
      'It took 2 hours and 90 minutes.',
      [
        [7200, 7200, 'time'],
        [5400, 5400, 'time'],
      ],
    ],
    [
      'It took 2 hours or 30 minutes.',
      [
        [7200, 7200, 'time'],
        [1800, 1800, 'time'],
      ],
    ],
    [
      'It took 2 hours, 30 minutes more than before.',
      [
        [7200, 7200, 'time'],
        [1800, 1800, 'time'],
      ],
    ],
    [
      'It took 30 minutes and 2 hours.',
      [
        [1800, 1800, 'time'],
        [7200, 7200, 'time'],
      ],
    ],
    [
      'Five men and 20 minutes are enough.',
      [
        [5, 5, 'man'],
        [1200, 1200, 'time'],
      ],
    ],
    [
      'It took 1 to 2 hours and 10 minutes.',
      [
        [3600, 7200, 'time'],
        [600, 600, 'time'],
      ],
    ],
    [
      'Prices rose from 5 to 7 euros.',
      [
        [5, 5, 'euros'],
        [7, 7, 'euros'],
      ],
    ],
    [
      'The share fell from 19 to 12 %.',
      [
        [19, 19, 'share'],
        [12, 12, 'share'],
      ],
    ],
    ['It costs from 5 to 7 euros.', [[5, 7, 'euros']]],
    [
      'It rose by from 5 days to 7.',
      [
        [432_000, 432_000, 'time'],
        [7, 7, ''],
      ],
    ],
    [
      'They served the Section 21 notice and 4 others.',
      [
        [21, 21, 'of section'],
        [4, 4, 'other'],
      ],
    ],
    ['Two hundred and fifty patients came.', [[250, 250, 'patient']]],
    ['One hundred twelve games were lost.', [[112, 112, 'game']]],
    ['A hundred patients came.', [[100, 100, 'patient']]],
    ['Several hundred patients came.', []],
    ['Two thousand two hundred and fifty patients came.', [[2250, 2250, 'patient']]],
    ['One million two hundred thousand patients came.', [[1.2e6, 1.2e6, 'patient']]],
    ['Fifteen hundred patients came.', [[1500, 1500, 'patient']]],
    ['Three hundred and one patients came.', [[301, 301, 'patient']]],
    [
      'Three hundred and one in ten patients came.',
      [
        [300, 300, ''],
        [10, 10, 'share'],
      ],
    ],
    ['Four in ten patients came.', [[40, 40, 'share']]],
    ['14 of every 100 patients came.', [[14, 14, 'share']]],
    ['One in ten or more of the patients came.', [[10, Infinity, 'share']]],
    ['At most one in ten patients came.', [[-Infinity, 10, 'share']]],
    ['Three quarters of the patients came.', [[75, 75, 'share']]],
    ['Two quarters in a row were good.', [[2, 2, 'quarter']]],
    [
      'Patients came four in ten days.',
      [
        [4, 4, ''],
        [864_000, 864_000, 'time'],
      ],
    ],
    ['One adult in five came.', [[20, 20, 'share']]],
    ['One teacher in ten schools came.', [[10, 10, 'school']]],
    ['A quarter of the patients came.', [[25, 25, 'share']]],
    ['More than half of the patients came.', [[50, Infinity, 'share']]],
    ['The second half of the year was good.', []],
    ['It lasted less than one hour.', [[-Infinity, 3600, 'time']]],
    ['It lasted under an hour.', [[-Infinity, 3600, 'time']]],
    ['It takes half a day.', [[43_200, 43_200, 'time']]],
    ['It takes three quarters of an hour.', [[2700, 2700, 'time']]],
    ['A quarter of a million patients came.', [[250_000, 250_000, 'patient']]],
    ['He led by a third of a second.', []],
    ['It takes a day or two.', [[2, 2, '']]],
    ['It costs between £5 and £7.', [[5, 7, 'pounds']]],
    ['Constructor 5 is slow.', [[5, 5, 'of constructor']]],
    ['It answers at 192.168.178.100.', []],
    ['The lake has 1,2-dichloroethane and 2,4-D in a 1,5-litre sample.', [[1.5, 1.5, 'volume']]],
    ['It took an hour and a half.', []],
    ['One day it rained for a few hours.', []],
    ['It was lent to them for a second term.', []],
    ['It runs once a week and costs $5 a month.', [[5, 5, 'dollars']]],
    ['Half a million patients came.', [[500_000, 500_000, 'patient']]],
    ['A thousand patients came.', [[1000, 1000, 'patient']]],
    ['That is one in a million.', []],
    ['Half a dozen patients came.', [[6, 6, 'patient']]],
    ['Two dozen patients came.', [[24, 24, 'patient']]],
    ['It has two hundred thousand visitors.', [[200_000, 200_000, 'visitor']]],
    ['It has three and a half million visitors.', [[3.5e6, 3.5e6, 'visitor']]],
    ['Between forty and fifty-five patients came.', [[40, 55, 'patient']]],
    [
      'It lowered glucose from about 7.6 to 6.8 mmol per litre.',
      [
        [7.6, 7.6, 'mmol'],
        [6.8, 6.8, 'mmol'],
      ],
    ],
    ['It is 737 metres (2,418 feet) deep.', [[737, 737, 'length']]],
    [
      'It handles 40 M rows, 40 m apart.',
      [
        [40e6, 40e6, 'row'],
        [40, 40, 'length'],
      ],
    ],
    [
      'It has a power of 0.64 GW or 640 MW.',
      [
        [640e6, 640e6, 'power'],
        [640e6, 640e6, 'power'],
      ],
    ],
    [
      'Kestrel 3 – 412 km range',
      [
        [3, 3, 'of kestrel'],
        [412_000, 412_000, 'length'],
      ],
    ],
    ['It weighs 12–15 kg when grown (26–33 lb).', [[12_000, 15_000, 'mass']]],
    [
      'It is 12 km (11.9 km in spring) long.',
      [
        [12_000, 12_000, 'length'],
        [11_900, 11_900, 'length'],
      ],
    ],
    [
      'It is 737 metres (2,900 feet) deep.',
      [
        [737, 737, 'length'],
        [2900 * 0.3048, 2900 * 0.3048, 'length'],
      ],
    ],
    [
      'Twenty three-room flats were sold.',
      [
        [20, 20, 'flat room three'],
        [3, 3, 'flat room'],
      ],
    ],
  ])('%s', (text, expected) => {
    expect(readingOf(text).amounts.map(({ low, high, unit }) => [low, high, unit])).toEqual(expected);
  });
});

describe('the polarity of a reading', () => {
  it.each<[string, boolean]>([
    ['The cache returns the newest value.', false],
    ['The cache never returns the newest value.', true],
    ['The cache never fails to return the newest value.', false],
    ['The tool formats not only code but documents.', false],
    ['Nobody but the keeper opens the gate.', false],
    ['It holds no more than five people.', false],
    ['The repository is private, not public.', false],
    ["The parser doesn't read comments.", true],
    ['Neither Norland nor Selmania joined the accord.', true],
    ['The drug was not tested, nor was it approved.', true],
    ['Nor did it fail to return the newest value.', false],
  ])('%s', (text, isNegated) => {
    expect(readingOf(text).polarity.isNegated).toBe(isNegated);
  });
});

describe('a part of a reading', () => {
  const sentence = readingOf('In 1852 she married Anna May Wong of Rome.');

  it('has the words and offsets of its own text', () => {
    const part = partOf(sentence, 2, 5);
    expect(part.text).toBe('she married Anna');
    expect(part.tokens.map(({ start, end }) => part.text.slice(start, end))).toEqual(['she', 'married', 'Anna']);
    expect(sentence.tokens[2]?.start).toBe(8);
  });

  it('can have a subject before it or in the place of a word', () => {
    const subject = readingOf('Ada Byron');
    expect(after(subject, partOf(sentence, 3, 5)).text).toBe('Ada Byron married Anna');
    const replaced = replacing(sentence, 2, subject);
    expect(replaced.text).toBe('In 1852 Ada Byron married Anna May Wong of Rome.');
    expect(replaced.tokens.map(({ start, end }) => replaced.text.slice(start, end))).toEqual(
      'In 1852 Ada Byron married Anna May Wong of Rome'.split(' '),
    );
    expect(replaced.names.map(({ parts }) => [...parts])).toEqual([
      ['ada', 'byron'],
      ['anna', 'may', 'wong', 'rome'],
    ]);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    ...[
      'Ada ',
      'was ',
      ' not',
      ' and ',
      ', ',
      '; ',
      'born in ',
      '(',
      ')',
      '"',
      '“',
      '1999',
      '$5',
      '3 km',
      '–',
      '1,000',
      '12:30',
      '%',
      '°C',
    ],
    ...['May ', "n't ", '’s ', '😀', '\0', '\uD800', '\uDC00', 'é', 'e\u0301', '東京', 'مرحبا', '\n', '𝟙𝟚', 'ǅ', '²'],
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 80 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );

  it('is read with true offsets, in order', () => {
    fc.assert(
      fc.property(text, (given) => {
        let last = 0;
        for (const { word, start, end } of readingOf(given).tokens) {
          expect(start).toBeGreaterThanOrEqual(last);
          const written = given.slice(start, end).normalize('NFKC').toLowerCase().replaceAll('’', "'");
          expect(written.replace(/'s?$/, '')).toBe(word.text);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(given.length);
      }),
    );
  });

  it('is read the same every time', () => {
    fc.assert(fc.property(text, (given) => expect(everythingOf(readingOf(given))).toEqual(everythingOf(readingOf(given)))));
  });

  it('has parts whose offsets are true as well', () => {
    fc.assert(
      fc.property(text, fc.nat(20), fc.nat(20), (given, from, length) => {
        const part = partOf(readingOf(given), from, Math.min(from + length, readingOf(given).tokens.length));
        for (const { start, end } of part.tokens) expect(given).toContain(part.text.slice(start, end));
      }),
    );
  });
});

describe('a hostile sentence of a megabyte', () => {
  const SIZE = 1_000_000;
  const filled = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length));

  it.each([
    ['one word', filled('ya')],
    ['words', filled('The tower of Kelm was not built, and ')],
    ['numbers', filled('1,000.50 ')],
    ['digits', filled('1')],
    ['digits and separators', filled('1,1.1:')],
    ['years and months', filled('May 12, 1990 – ')],
    ['emoji', filled('👩‍👩‍👧 ')],
    ['halves of surrogate pairs', filled('\uD800 \uDC00')],
    ['zero characters', filled('\0')],
    ['opened brackets', filled('([“"')],
    ['negations', filled('not no never ')],
    ['Chinese', filled('第五个服务器处理所有来自客户端的请求')],
    ['Arabic', filled('يعالج الخادم رقم 5 ')],
  ])('is read in bounded time: %s', (_name, given) => {
    const startedAt = process.cpuUsage();
    everythingOf(readingOf(given));
    const { user, system } = process.cpuUsage(startedAt);
    expect((user + system) / 1_000).toBeLessThan(8_000);
  });
});
