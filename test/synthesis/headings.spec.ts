import { PROVIDERS } from '@lib/domain/vocabulary';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';
import fc from '../support/properties';
import { expectVerbatim, reported } from './steps';

const CARMAKERS = 'How did the carmakers do?';

function jobOf(query: string, reports: readonly string[]): SynthesisInput {
  const steps = reports.map((report, at) => reported(PROVIDERS[at] ?? PROVIDERS[0], report, [`https://${String(at)}.example/1`]));
  return { query, mode: 'fast', tier: 'L', steps };
}

/** Each claim with how many reports support and contradict it. */
function claimsOf(query: string, ...reports: string[]): (readonly [string, number, number])[] {
  const job = jobOf(query, reports);
  const synthesis = synthesize(job);
  expectVerbatim(synthesis, job.steps);
  return synthesis.claims.map(({ claim, supporting, contradicting }) => [claim, supporting.length, contradicting.length] as const);
}

type Form = (heading: string, sentence: string) => string;

/** A sentence below a heading, in each form that reports have. */
const FORMS: readonly (readonly [string, Form])[] = [
  ['a heading', (heading, sentence) => `## ${heading}\n\n${sentence}`],
  ['a numbered heading', (heading, sentence) => `Some words.\n\n### 2. ${heading}\n\n${sentence}`],
  ['a bold paragraph', (heading, sentence) => `**${heading}**\n\n${sentence}`],
  ['bold words with a colon', (heading, sentence) => `**${heading}:** ${sentence}`],
  ['bold words with a stop', (heading, sentence) => `**${heading}.** ${sentence}`],
  ['italic words with a dash', (heading, sentence) => `- *${heading}* – ${sentence}`],
  ['an item of a list', (heading, sentence) => `- ${heading}\n  - ${sentence}`],
  ['a bold item of a list', (heading, sentence) => `1. **${heading}**\n   - ${sentence}`],
  ['what a list begins with', (heading, sentence) => `${heading}:\n\n- ${sentence}`],
];
const form = fc.constantFrom(...FORMS.map(([, of]) => of));

describe('a sentence below the name of a thing', () => {
  it.each(FORMS)('is shown with it: %s', (_, below) => {
    expect(claimsOf(CARMAKERS, below('Tesla', 'Shares fell by 9 % in 2024 [1].'))).toEqual([
      ['[Tesla:] Shares fell by 9 % in 2024.', 1, 0],
    ]);
  });

  it('is never agreed or disputed with what stands below the name of another, in whatever form', () => {
    fc.assert(
      fc.property(form, form, fc.constantFrom('9', '6'), (one, other, percent) => {
        const claims = claimsOf(
          CARMAKERS,
          one('Tesla', 'Shares fell by 9 % in 2024 [1].'),
          other('Ford', `Shares fell by ${percent} % in 2024 [1].`),
        );
        expect(claims.map(([, supporting, contradicting]) => [supporting, contradicting])).toEqual([
          [1, 0],
          [1, 0],
        ]);
      }),
    );
  });

  it.each([
    ['11 February 2025', 2],
    ['21 February 2025', 1],
  ])('that is a day, %s, is agreed with what another report says of that day alone', (day, supporting) => {
    const claims = claimsOf(
      'What befell the bridge?',
      `- **${day}:** The county closed the bridge [1].\n- **3 March 2025:** Divers came to look at it [1].`,
      'The county closed the bridge on 11 February 2025 [1].',
    );
    expect(claims.find(([claim]) => claim.includes(`${day}:`))).toEqual([`[${day}:] The county closed the bridge.`, supporting, 0]);
  });

  it('is agreed below the same name, and disputed where the numbers differ, in whatever form', () => {
    fc.assert(
      fc.property(form, form, fc.boolean(), (one, other, isSame) => {
        const claims = claimsOf(
          CARMAKERS,
          one('Tesla', 'Shares fell by 9 % in 2024 [1].'),
          other('Tesla', `Shares fell by ${isSame ? '9' : '6'} % in 2024 [1].`),
        );
        expect(claims.map(([, supporting, contradicting]) => [supporting, contradicting])).toEqual(
          isSame
            ? [[2, 0]]
            : [
                [1, 1],
                [1, 1],
              ],
        );
      }),
    );
  });

  it.each([
    ['in the sentence', 'Tesla', 'At Tesla, shares fell by 9 % in 2024 [1].'],
    ['as their owner', 'Tesla', 'Tesla’s shares fell by 9 % in 2024 [1].'],
    ['with its kind of company', 'Tesla', '## Tesla, Inc.\n\nShares fell by 9 % in 2024 [1].'],
    ['with another name in brackets', 'Tesla', '## Tesla (TSLA)\n\nShares fell by 9 % in 2024 [1].'],
    ['by the name in brackets', 'Semaglutide (Ozempic)', '## Ozempic\n\nShares fell by 9 % in 2024 [1].'],
    ['by its initials', 'United Kingdom', '## UK\n\nShares fell by 9 % in 2024 [1].'],
    ['by the first of its words', 'Ford Otosan', '## Ford\n\nShares fell by 9 % in 2024 [1].'],
    ['behind a small heading of it', 'Tesla', '## Tesla\n\n### Market performance\n\nShares fell by 9 % in 2024 [1].'],
  ])('is agreed where the other names it %s', (_, heading, other) => {
    const claims = claimsOf(CARMAKERS, `## ${heading}\n\nShares fell by 9 % in 2024 [1].`, other);
    expect(claims.filter(([, supporting]) => supporting === 2)).toHaveLength(1);
  });

  it('is of another where one report tells the short name from the long one', () => {
    const report = '## Ford\n\nFord has new cars.\n\n## Ford Otosan\n\nShares fell by 9 % in 2024 [1].';
    const claims = claimsOf(CARMAKERS, report, '## Ford\n\nShares fell by 9 % in 2024 [1].');
    expect(claims.filter(([, supporting]) => supporting > 1)).toEqual([]);
  });

  it('may call it by its kind', () => {
    const claims = claimsOf(
      CARMAKERS,
      '## Tesla\n\nThe company was founded in 2003 by two engineers [1].',
      'Tesla was founded in 2003 by two engineers [1].',
    );
    expect(claims.filter(([, supporting]) => supporting === 2)).toHaveLength(1);
    const others = claimsOf(
      CARMAKERS,
      '## Tesla\n\nThe company was founded in 2003 by two engineers [1].',
      'Ford was founded in 2003 by two engineers [1].',
    );
    expect(others.filter(([, supporting]) => supporting === 2)).toEqual([]);
  });

  it('is not agreed where the other report names nothing', () => {
    const claims = claimsOf('How did Tesla and Ford do?', '## Tesla\n\nShares fell by 9 % in 2024 [1].', 'Shares fell by 9 % in 2024 [1].');
    expect(claims.map(([, supporting]) => supporting)).toEqual([1, 1]);
  });

  it('is agreed where the question asks about nothing else, and needs no name then', () => {
    const claims = claimsOf('How did Tesla do?', '## Tesla\n\nShares fell by 9 % in 2024 [1].', 'Shares fell by 9 % in 2024 [1].');
    expect(claims).toEqual([['Shares fell by 9 % in 2024.', 2, 0]]);
  });

  it('stands twice where one report has it below two names', () => {
    const report = '- **Tesla:** Shares fell by 9 % in 2024 [1].\n- **Ford:** Shares fell by 9 % in 2024 [1].';
    expect(claimsOf(CARMAKERS, report).map(([claim]) => claim)).toEqual([
      '[Tesla:] Shares fell by 9 % in 2024.',
      '[Ford:] Shares fell by 9 % in 2024.',
    ]);
  });

  it('is not called the same by a model', () => {
    const sentence = 'Shares fell by 9 % in 2024 [1].';
    const refused = (...headings: string[]): number | undefined => {
      const job = jobOf(
        CARMAKERS,
        headings.map((heading) => `## ${heading}\n\n${sentence}`),
      );
      const quotes = ['R1', 'R2'].map((report) => ({ report, quote: 'Shares fell by 9 % in 2024' }));
      return verifyProposals(job, JSON.stringify({ claims: [{ quotes }], disputes: [] }))?.refused;
    };
    expect(refused('Tesla', 'Tesla')).toBe(0);
    expect(refused('Tesla', 'Ford')).toBe(1);
  });
});

describe('lines of one paragraph', () => {
  const lines = (between: string, ...cars: readonly [string, string][]): string =>
    cars.map(([maker, percent]) => `**${maker}${between}Shares fell by ${percent} % in 2024 [1].`).join('\n');

  it.each([
    ['with a colon', ':** '],
    ['with a colon behind', '**: '],
    ['with a dash', '** – '],
    ['with a stop', '.** '],
    ['alone on their line', '**\n'],
  ])('have a heading each in bold words %s', (_, between) => {
    const report = lines(between, ['Tesla', '9'], ['Ford', '5']);
    const wanted = ['[Tesla:] Shares fell by 9 % in 2024.', '[Ford:] Shares fell by 5 % in 2024.'];
    expect(claimsOf(CARMAKERS, report).map(([claim]) => claim)).toEqual(wanted);
    const item = `- Some words.\n\n  ${report.replaceAll('\n', '\n  ')}`;
    expect(claimsOf(CARMAKERS, item).map(([claim]) => claim)).toEqual(wanted);
    const other = claimsOf(CARMAKERS, report, lines(between, ['Ford', '9'], ['Tesla', '5']));
    expect(other.map(([, supporting, contradicting]) => [supporting, contradicting])).toEqual(Array.from({ length: 4 }, () => [1, 1]));
  });

  it('go on where bold words are a part of a sentence', () => {
    const report = 'The best year of\n**Tesla** was 2021, and shares rose by 50 % [1].';
    expect(claimsOf(CARMAKERS, report).map(([claim]) => claim)).toEqual(['The best year of Tesla was 2021, and shares rose by 50 %.']);
  });
});

describe('headings that name what is told apart', () => {
  it.each([
    ['years', 'How did sales develop?', '2022', '2023'],
    ['places', 'How did sales develop?', 'In Germany', 'In France'],
    ['what the question lists in small letters', 'Is a gas or an induction cooker better?', 'Gas', 'Induction cookers'],
  ])('keep what stands below them apart: %s', (_, question, one, other) => {
    const claims = claimsOf(question, `## ${one}\n\nSales rose by 9 % to 40 tons [1].`, `## ${other}\n\nSales rose by 9 % to 40 tons [1].`);
    expect(claims.map(([, supporting]) => supporting)).toEqual([1, 1]);
  });

  it('do so without a name where each report has both', () => {
    const report = (first: string, second: string): string =>
      `## Children\n\nFever lasted ${first} days on average [1].\n\n## Adults\n\nFever lasted ${second} days on average [1].`;
    const claims = claimsOf('How does the illness go?', report('3', '5'), report('5', '3'));
    expect(claims.filter(([, supporting]) => supporting > 1)).toEqual([]);
  });
});

describe('headings that name no thing', () => {
  it.each([
    ['aspects', '## Background', '## Market Performance'],
    ['questions', '## What happened?', '**Why did it happen?**'],
    ['any words', '## Lessons', '## What can still be done'],
    ['the title of a report', '# Carmakers in Europe and America: a Comparison\n\n## Background', '## Overview'],
    ['numbers that only count', '## 1. Overview', '## Top 5 Findings'],
  ])('keep nothing apart: %s', (_, one, other) => {
    expect(claimsOf(CARMAKERS, `${one}\n\nShares fell by 9 % in 2024 [1].`, `${other}\n\nShares fell by 9 % in 2024 [1].`)).toEqual([
      ['Shares fell by 9 % in 2024.', 2, 0],
    ]);
  });
});

describe('a pronoun below the name of a thing', () => {
  it.each([
    ['a thing', '## Tesla\n\nIt was founded in 2003 by two engineers [1].', '[Tesla] was founded in 2003 by two engineers.'],
    [
      'a name with "for" and "in"',
      '## Institute for Peace in Oslo\n\nIt was founded in 1959 [1].',
      '[Institute for Peace in Oslo] was founded in 1959.',
    ],
    ['a person', '## Ada Lovelace (1815–1852)\n\nShe was born in London in 1815 [1].', '[Ada Lovelace] was born in London in 1815.'],
    ['a name turned round', '**Lovelace, Ada.** She was born in London in 1815 [1].', '[Ada Lovelace] was born in London in 1815.'],
  ])('stands for it: %s', (_, report, claim) => {
    const claims = claimsOf('Which were the pioneers?', `Engineers admire Tesla and Ada Lovelace [1].\n\n${report}`);
    expect(claims.map(([text]) => text)).toContain(claim);
  });

  it('stands for the second person below her own name', () => {
    const report = `Many admire Grace Hopper [1].\n\n## Ada Lovelace\n\nShe was born in London in 1815 [1]. Note G describes a machine of 1843 [1].\n\n## Grace Hopper\n\nShe joined the navy in 1943 [1].`;
    expect(claimsOf('Which women were pioneers?', report).map(([text]) => text)).toContain('[Grace Hopper] joined the navy in 1943.');
  });

  it('stands for nobody known below a name that may be another’s', () => {
    const report = `## Nobu Shirase (1861–1946)\n\nHe sailed south on the Kainan Maru in 1910 [1].\n\n## Amundsen\n\nHe reached the South Pole in December 1911 [1].`;
    const claims = claimsOf('Which explorers went south?', report).map(([text]) => text);
    expect(claims).toContain('[Nobu Shirase] sailed south on the Kainan Maru in 1910.');
    expect(claims).toContain('[Amundsen:] He reached the South Pole in December 1911.');
  });

  it('stands for nothing known below what may be no name', () => {
    const claims = claimsOf('Which floor is best?', '## Scratches\n\nIt can be sanded four to six times [1].').map(([text]) => text);
    expect(claims).toEqual(['[Scratches:] It can be sanded four to six times.']);
  });

  it('stands for nothing known where the thing or what it has may be meant', () => {
    const report = '## Egypt\n\nThe Great King led campaigns in 1274 [1]. Its chariots carried three men each in 1274 [1].';
    expect(claimsOf('Which empires were strong?', report).filter(([claim]) => claim.includes('[The Great King’s]'))).toEqual([]);
  });

  it('stands for nothing known once something else was spoken of', () => {
    const report = '## Rothe & Sohn\n\nAnnual revenue is about 38 million euros [1]. It offers laser welding in 12 towns [1].';
    expect(new Set(claimsOf('Which firms weld?', report).map(([text]) => text))).toEqual(
      new Set([
        '[Rothe & Sohn:] Annual revenue is about 38 million euros.',
        '[Rothe & Sohn: Annual revenue is about 38 million euros.] It offers laser welding in 12 towns.',
      ]),
    );
  });
});

describe('what a heading does not stand above', () => {
  const sections = '## Tesla\n\nTesla shares fell by 9 % in 2024 [1].\n\n## Ford\n\nFord shares fell by 5 % in 2024 [1].';
  const closing = 'Global car sales rose by 3 % in 2024 [1].';

  it.each([
    ['behind a line across the page', `${sections}\n\n---\n\n${closing}`],
    ['below a closing heading', `${sections}\n\n### Conclusion\n\n${closing}`],
    ['below a closing bold line', `${sections}\n\n**Summary**\n\n${closing}`],
    ['behind closing words', `${sections}\n\nOverall, demand was weak in 2024 [1]. ${closing}`],
    ['behind a list below a bold line', `**Ford**\n\n- Ford shares fell by 5 % in 2024 [1].\n\n${closing}`],
    [
      'behind a table below its caption',
      `Some words.\n\n**Table 1: Ford**\n\n| Quarter | Margin |\n| - | - |\n| Q1 2024 | 9 % |\n\n${closing}`,
    ],
    ['behind bold words that are a part of a sentence', `**Ford** sold 2 million cars in 2024 [1]. ${closing}`],
  ])('is a sentence %s', (_, report) => {
    expect(claimsOf(CARMAKERS, report).map(([claim]) => claim)).toContain(closing.replace(' [1]', ''));
  });

  it('is what another report says that has no such heading', () => {
    const sentence = 'Rates of fever rose to 9 % in 2023 [1].';
    expect(claimsOf('Is it safe?', `## Children\n\n${sentence}`, `## Older adults\n\n${sentence}`)).toEqual([
      ['Rates of fever rose to 9 % in 2023.', 2, 0],
    ]);
  });

  it('is a paragraph of the next item of a list', () => {
    const report = (first: string, second: string): string =>
      `1. **${first}**\n\n   Shares fell by 9 % in 2024 [1].\n\n2. **${second}**\n\n   Shares fell by 5 % in 2024 [1].`;
    const claims = claimsOf(CARMAKERS, report('Tesla', 'Ford'), report('Ford', 'Tesla'));
    expect(claims.filter(([, supporting]) => supporting > 1)).toEqual([]);
    expect(claims.filter(([claim]) => claim.startsWith('[Tesla:] '))).toHaveLength(2);
  });

  it('is "it" once its section has spoken of something else', () => {
    const report = '## Volkswagen\n\nThe Golf was the best car of 1975 [1].\n\nIt sold 35 million times by 2019 [1].';
    expect(claimsOf(CARMAKERS, report, 'Volkswagen sold 35 million times by 2019 [1].').filter(([, supporting]) => supporting > 1)).toEqual(
      [],
    );
  });
});

describe('headings of which nobody can tell whether they name a thing', () => {
  const trusted = (one: string, other: string, sentence: string): string | undefined =>
    synthesize(jobOf(CARMAKERS, [`## ${one}\n\n${sentence}`, `## ${other}\n\n${sentence}`])).claims.find(
      ({ supporting }) => supporting.length === 2,
    )?.confidence;

  it('keep nothing apart that names what it speaks of', () => {
    expect(trusted('Market Landscape', 'Sales Snapshot', 'In 2023 Tesla sold 1.8 million cars [1].')).toBe('high');
  });

  it('leave in doubt what names nothing', () => {
    expect(trusted('Market Landscape', 'Sales Snapshot', 'Shares fell by 9 % in 2024 [1].')).toBe('medium');
  });

  it('are names among others that surely are', () => {
    const report = (last: string): string =>
      `## Ford\n\nIt is old.\n\n## Toyota\n\nIt is large.\n\n## ${last}\n\nShares fell by 9 % in 2024 [1].`;
    expect(claimsOf(CARMAKERS, report('Rivian'), report('Lucid')).filter(([, supporting]) => supporting > 1)).toEqual([]);
  });

  it('are all headings of a German report, in which all nouns have capitals', () => {
    const sentence = 'Die Hersteller verkauften 2023 weltweit 14 Millionen Elektroautos [1].';
    const report = (heading: string): string =>
      `## ${heading}\n\n${sentence} Dort ist die ${heading} für den Handel wichtig und wird beobachtet [1].`;
    expect(
      claimsOf('Wie geht es den Autobauern?', report('Absatzentwicklung'), report('Marktlage')).filter(([, supporting]) => supporting > 1),
    ).toHaveLength(1);
  });
});

describe('headings below which a report says the same with other figures', () => {
  const doses = '## Aspirin\n\nThe usual dose is 500 mg per day [1].\n\n## Ibuprofen\n\nThe usual dose is 400 mg per day [1].';

  it.each([
    ['what names another thing', 'The usual dose of paracetamol is 500 mg per day [1].'],
    ['what names nothing', 'The usual dose is 500 mg per day [1].'],
  ])('name things, so that what is said below them is neither said nor disputed by %s', (_, other) => {
    const steps = [reported('provider-a', doses, ['https://a.example/1']), reported('provider-b', other, ['https://b.example/1'])];
    const { claims } = synthesize({ query: 'What is the usual dose of paracetamol?', mode: 'fast', tier: 'L', steps });
    expect(claims.filter(({ supporting, contradicting }) => supporting.length > 1 || contradicting.length > 0)).toEqual([]);
  });

  it('are agreed upon below the same headings', () => {
    const steps = (['a', 'b'] as const).map((name) => reported(`provider-${name}`, doses, [`https://${name}.example/1`]));
    const { claims } = synthesize({ query: 'What is the usual dose of paracetamol?', mode: 'fast', tier: 'L', steps });
    expect(claims.map(({ supporting, contradicting }) => [supporting.length, contradicting.length])).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });
});

it('is no heading but a title where bold lines stand in the place of all others', () => {
  const asked = 'What happened in the Tolm theatre fire?';
  const answers =
    '## Q&A: the Tolm theatre fire\n\n**How many exits were open?**\nThree exits out of five were locked [1].\n\n**Who played?**\nA troupe from Orsk [1].';
  const steps = [
    reported('provider-a', answers, ['https://a.example/1']),
    reported('provider-b', 'Three exits out of five were locked [1].', ['https://b.example/1']),
  ];
  const { claims } = synthesize({ query: asked, mode: 'fast', tier: 'L', steps });
  expect(claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim)).toEqual([
    'Three exits out of five were locked.',
  ]);
  expect(claims.filter(({ claim }) => claim.includes('Q&A'))).toEqual([]);
});

describe('hostile headings', () => {
  it.each([
    ['a very long one', `## ${'Tesla '.repeat(5_000)}`],
    ['many', Array.from({ length: 3_000 }, (_, at) => `## Tesla ${String(at)}`).join('\n\n')],
    ['deeply nested ones', Array.from({ length: 300 }, (_, at) => `${' '.repeat(2 * at)}- Tesla ${String(at)}`).join('\n')],
    ['markup and brackets', '## [Tesla](javascript:alert(1)) <b>](((**'],
    ['nothing', '## \n\n####'],
    ['a link and marks', '**[Tesla](https://tesla.example)[1]**'],
  ])('lose no sentence: %s', (_, headings) => {
    const claims = claimsOf(CARMAKERS, `${headings}\n\nShares of Ford fell by 9 % in 2024 [1].`);
    expect(claims.some(([claim]) => claim.endsWith('Shares of Ford fell by 9 % in 2024.'))).toBe(true);
  });
});
