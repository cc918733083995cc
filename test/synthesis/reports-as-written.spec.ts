import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Citation } from '@lib/domain/citation';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { synthesize } from '@lib/synthesis/synthesize';
import { expectVerbatim, reported, synthesisOf } from './steps';

const URLS = ['https://a.example/1', 'https://b.example/2'];

const claimsIn = (markdown: string): string[] =>
  synthesisOf(reported('provider-a', markdown, URLS))
    .claims.toSorted((one, other) => (one.supporting[0]?.start ?? 0) - (other.supporting[0]?.start ?? 0))
    .map(({ claim }) => claim);

describe('what models write in the place of a source is no part of a claim', () => {
  it.each([
    '[cite: 1, 3]',
    ' [cite: 12-14]',
    '[web:2][web:5]',
    ' [Source 2, Source 3]',
    '【12†L3-L9】',
    '【4:0†report.pdf】',
    ' :contentReference[oaicite:3]{index=3}',
    '\uE200cite\uE202turn0search1\uE202turn0news4\uE201',
    ' citeturn0search1turn0news4',
    '<sup>1</sup>',
    '<sup>[2]</sup>',
    '²˒ ³',
    '\\[7]',
    ' (https://x.example/7)',
    ' (Source: https://x.example/7)',
    ' [\\[7\\]](https://x.example/7)',
    '<source>https://x.example/7</source>',
    '<grok:render card_id="a" type="render_inline_citation"><argument name="citation_id">3</argument></grok:render>',
  ])('%s', (mark) => {
    expect(
      claimsIn(`The Kelm dam opened in 1962.${mark} The Kelm mill closed in 1975${mark}. The Kelm bridge fell in 1990.${mark}`),
    ).toEqual(['The Kelm dam opened in 1962.', 'The Kelm mill closed in 1975.', 'The Kelm bridge fell in 1990.']);
  });

  it('though what looks like it stays', () => {
    const said = [
      'The Kelm valley has 12 km² of forest.',
      'The Kelm 【upper】 dam opened in 1962.',
      'The Kelm mill ground 10<sup>6</sup> sacks in 1975.',
    ];
    expect(claimsIn(said.join('\n\n'))).toEqual([said[0], said[1], 'The Kelm mill ground 106 sacks in 1975.']);
  });
});

it.each([
  ['signs before a line', `${'✔▪'.repeat(15)}x The Kelm dam opened in 1962.`],
  ['raised numbers', `The Kelm dam opened in 1962.${'¹'.repeat(32)}x`],
  ['labels of marks', `The Kelm dam opened in 1962 [web:1${'web: '.repeat(28)}x`],
])('a run that is none in the end is read in bounded time: %s', (_name, markdown) => {
  const startedAt = process.cpuUsage();
  claimsIn(markdown);
  const { user, system } = process.cpuUsage(startedAt);
  expect((user + system) / 1_000).toBeLessThan(4_000);
});

it('a source is of the sentence before its mark, and not of the one before that', () => {
  const markdown = 'The Kelm dam opened in 1962. [cite: 1][1] The Kelm mill closed in 1975. [cite: 2][2]';
  const step = reported('provider-a', markdown, URLS);
  const [first, second] = step.citations;
  if (!first || !second) throw new Error('Two sources were given');
  const begin = markdown.indexOf(' [cite: 1]');
  Object.assign(first, { startIndex: 0, endIndex: begin });
  Object.assign(second, { startIndex: markdown.indexOf('[1]'), endIndex: markdown.length });
  const synthesis = synthesisOf(step);
  expectVerbatim(synthesis, [step]);
  expect(synthesis.claims.map(({ claim, supporting }) => [claim, supporting[0]?.citationIndexes])).toEqual([
    ['The Kelm dam opened in 1962.', [1]],
    ['The Kelm mill closed in 1975.', [2]],
  ]);
});

it.each([
  ['references to characters', 'The Kelm&nbsp;dam is 12&ndash;15&#160;m high.', 'The Kelm dam is 12–15 m high.'],
  ['characters that are not seen', 'The Kelm\u200B dam was re\u00ADbuilt\u2060 in 1962.\u200B', 'The Kelm dam was rebuilt in 1962.'],
  [
    'figures of mathematics',
    'The Kelm dam holds $11{,}500$ tonnes in \\(12.5\\%\\) of it.',
    'The Kelm dam holds 11,500 tonnes in 12.5% of it.',
  ],
  ['line breaks', 'The Kelm dam<br>was rebuilt in 1962.', 'The Kelm dam was rebuilt in 1962.'],
])('%s read as what they show', (_, written, said) => {
  expect(claimsIn(written)).toEqual([said]);
});

describe('lines that begin with a sign', () => {
  it.each(['✅', '👉', '•', '☀️', '1️⃣', '🇳🇴', '✔'])('are items of a list: %s', (sign) => {
    const lines = ['The Kelm dam opened in 1962.', 'The Kelm mill closed in 1975.', '**Bridge:** The Kelm bridge fell in 1990.'];
    expect(claimsIn(lines.map((line) => `${sign} ${line}`).join('\n'))).toEqual([lines[0], lines[1], 'The Kelm bridge fell in 1990.']);
  });

  it('keep one that denies them', () => {
    expect(claimsIn('❌ The Kelm dam opens in 2031.')).toEqual(['❌ The Kelm dam opens in 2031.']);
  });
});

it.each([
  'initdb enables data checksums by default.',
  'A new gas boiler costs £2,000–£3,500.',
  'A room in a cabin costs NOK 1,800 per night in July.',
  'Car rental starts at about $90 per day in summer.',
  'The tool now preserves planner statistics.',
])('a sentence of a list needs nothing of what stands over that: %s', (sentence) => {
  expect(claimsIn(`**Details**\n\n- ${sentence}\n- Nausea and fever`)[0]).toBe(sentence);
});

it.each(['Severe pain attacks at night', 'Heart attacks and strokes'])('what is none still does: %s', (item) => {
  expect(claimsIn(`Avoid the drug in case of:\n\n- ${item}\n- Nausea and fever`)[0]).toBe(`[Avoid the drug in case of:] ${item}`);
});

it('what stands over items of a list is none of them', () => {
  const markdown =
    '### Segments\n- Onshore\n  - Kelm Power sold 412 turbines in 2025 [1]\n- Offshore\n  - Kelm Power sold 12 turbines in 2025 [1]';
  expect(claimsIn(markdown)).toEqual([
    '[Onshore:] Kelm Power sold 412 turbines in 2025.',
    '[Offshore:] Kelm Power sold 12 turbines in 2025.',
  ]);
});

it.each([
  "Here's a detailed comparison of the 2 dams.",
  'However, I hope this helps with the 2 dams!',
  'If you have any further questions, feel free to ask.',
  'Let me know if the 2 dams interest you.',
])('talk is no claim: %s', (talk) => {
  expect(claimsIn(`${talk} [1]`)).toEqual([]);
});

describe('a list of sources', () => {
  it.each(['## 📚 Sources', '## 7. References and notes', '**Sources:**', 'Sources consulted:', '## Works cited (accessed 2026)'])(
    'states nothing: %s',
    (title) => {
      expect(claimsIn(`The Kelm dam opened in 1962 [1].\n\n${title}\n\n- Holm 2020: The Kelm dam was closed in 1990.`)).toEqual([
        'The Kelm dam opened in 1962.',
      ]);
    },
  );

  it.each([
    '*Sources, cited from memory: [1] Kelm Health Service, Tolmarin 2007; [2] Ulm et al., Housing of the Kelm dam 2013.*',
    'References\n[1] Kelm Health Service, Tolmarin\n[2] Act of 2004, s. 214 Housing of the Kelm dam',
    '[1] Kelm Health Service, Tolmarin\n[2] Act of 2004, s. 214 Housing of the Kelm dam',
    'Sources\n- Annals of Kelm 2016. The dam of 1962.\n- Holm 2020',
  ])('states nothing though no heading stands above it: %j', (list) => {
    expect(claimsIn(`The Kelm dam opened in 1962 [1].\n\n${list}`)).toEqual(['The Kelm dam opened in 1962.']);
  });

  it.each(['Sources of vitamin D', 'Reference values', 'Literature review', 'See also the mill'])(
    'is none of what is told of sources: %s',
    (title) => {
      expect(claimsIn(`## ${title}\n\nSalmon holds 10 µg of vitamin D per 100 g [1].`)).toEqual([
        'Salmon holds 10 µg of vitamin D per 100 g.',
      ]);
    },
  );
});

/** Three reports each, as providers wrote them and as they were recorded. */
interface Written {
  query: string;
  reports: { markdown: string; citations: Citation[] }[];
}

describe('three reports with the marks of several providers', () => {
  const synthesisFrom = (name: string) => {
    const { query, reports } = JSON.parse(readFileSync(join(__dirname, 'reports-as-written', `${name}.json`), 'utf8')) as Written;
    const steps = reports.map(({ markdown, citations }, place) => ({
      ...reported(PROVIDERS[place] ?? 'provider-a', markdown, []),
      citations,
    }));
    return { steps, synthesis: synthesize({ query, mode: 'methodical', tier: 'L', steps }) };
  };

  it.each(['health', 'travel', 'finance'])('give claims without a mark, with exact quotes: %s', (name) => {
    const { steps, synthesis } = synthesisFrom(name);
    expectVerbatim(synthesis, steps);
    const left = synthesis.claims.filter(({ claim }) =>
      /cite|†|[\uE000-\uF8FF\u200B\u00AD¹²³]|&[\w#]+;|<\/?\w|\\|\*\*|^[•☀❄]/u.test(claim),
    );
    expect(left.map(({ claim }) => claim)).toEqual([]);
  });

  it.each([
    ['health', 'The tolerable upper intake level for supplemental magnesium is 350 mg per day for adults.', 3],
    ['health', 'Magnesium oxide has an absorption of only about 4%.', 2],
    ['travel', 'The northern lights can be seen from September to mid-April.', 3],
    ['travel', 'A double room in a rorbu costs NOK 1 800–2 500 per night in July.', 2],
    ['finance', 'Management raised its full-year guidance to revenue of €4.9–5.1 billion.', 2],
  ])('agree on the same facts: %s, %s', (name, claim, providers) => {
    const { claims } = synthesisFrom(name).synthesis;
    const found = claims.find((each) => each.claim.replace('‑', '-') === claim);
    expect(new Set(found?.supporting.map(({ provider }) => provider)).size).toBe(providers);
  });

  it('differ in the figures that differ alone', () => {
    const { claims } = synthesisFrom('finance').synthesis;
    const disputed = claims.filter(({ contradicting }) => contradicting.length > 0).map(({ claim }) => claim);
    expect(disputed.toSorted()).toEqual([
      'Net income came in at €89.4 million, compared with a net loss of €12.3 million in Q3 2024.',
      'Net income came in at €98.4 million, compared with a net loss of €-12.3 million in Q3 2024.',
      'The dividend will be €0.85 per share.',
      'The dividend will be €0.95 per share.',
    ]);
  });
});
