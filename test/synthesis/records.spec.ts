import type { ResearchMode } from '@lib/domain/vocabulary';
import { synthesize } from '@lib/synthesis/synthesize';
import type { Synthesis } from '@lib/synthesis/synthesis';
import { remarkOn } from './remark-on';
import { reported } from './steps';

const table = (head: readonly string[], ...rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const synthesisOn = (one: string, other: string, mode: ResearchMode = 'fast'): Synthesis =>
  synthesize({ query: 'What is known?', mode, tier: 'L', steps: [reported('provider-a', one, []), reported('provider-b', other, [])] });

/** What a report says about two claims that it shows below each other or as a dispute; null if there are none. */
function comparedIn(one: string, other: string): string | null {
  const { markdown, claims } = synthesisOn(one, other);
  return claims.some(({ contradicting }) => contradicting.length > 0)
    ? 'disputed'
    : (/^ *- Compare(?:, )?(.*?): /m.exec(markdown)?.[1] ?? null);
}

const CARS = ['Car', 'Range', 'Price', 'Heat pump'];
const COLUMNS = ['', 'Kestrel 3', 'Sorano'];

describe('a value of a row', () => {
  it.each<[string, string, string]>([
    ['a sentence', table(CARS, ['Kestrel 3', '412 km', '€31,900', 'yes']), 'The Kestrel 3 has a range of 432 km and five seats.'],
    ['the only price of it', table(CARS, ['Kestrel 3', '412 km', '€31,900', 'yes']), 'Dealers ask for €33,900 if one wants the Kestrel 3.'],
    ['a thing in a column', table(COLUMNS, ['Range', '412 km', '398 km']), 'The range of the Sorano is 389 km.'],
    [
      'a row with other columns',
      table(CARS, ['Sorano', '398 km', '€34,700', 'no']),
      table(['Car', 'Seats', 'Range'], ['Sorano', '5', '389 km']),
    ],
    [
      'a table that exchanges rows and columns',
      table(CARS, ['Sorano', '398 km', '€34,700', 'no']),
      table(COLUMNS, ['Range', '412 km', '389 km']),
    ],
    [
      'a unit in the head',
      table(['Plant', 'Power (MW)', 'Since'], ['Kelm Bay', '640', '2014']),
      'Kelm Bay near Ulm has a net power of 0.46 GW.',
    ],
    ['what it counts', table(['School', 'Students'], ['Kelm Institute', '27,100']), 'Some 21,700 students attend the Kelm Institute.'],
    [
      'an item that lists values',
      '- **Kestrel 3** – 412 km range, €31,900, five seats',
      'The Kestrel 3 has a range of 432 km and a heat pump.',
    ],
  ])('differs from that of %s', (_, one, other) => {
    expect(comparedIn(one, other)).toBe('figures differ');
    expect(comparedIn(other, one)).toBe('figures differ');
  });

  it.each<[string, string, string]>([
    ['another thing', table(CARS, ['Kestrel 3', '412 km', '€31,900', 'yes']), 'The Kestrel 4 has a range of 432 km.'],
    ['another measure', table(CARS, ['Kestrel 3', '412 km', '€31,900', 'yes']), 'Insurance of the Kestrel 3 costs €900 a year.'],
    [
      'the other of two verdicts',
      table(['Drug', 'Approved in Ulm', 'Approved in the US'], ['Kelmol', 'no', 'yes']),
      'Kelmol is not approved in Ulm so far.',
    ],
    [
      'another period',
      table(['Plan', 'Price per month', 'Seats'], ['Kelm Pro', '$9', '5']),
      table(['Plan', 'Price per year'], ['Kelm Pro', '$108']),
    ],
    [
      'a change of it',
      table(['Party', 'Seats', 'Leader'], ['Green List', '33', 'Ada Kelm']),
      'The Green List lost 12 seats in the last election.',
    ],
    [
      'a charge below the same heading',
      '## London\n\n- **Price:** £18 a day since 2 January 2026, previously £15.',
      '## London\n\nIn London late payment costs £21, and ignoring the charge £180, halved if paid within 14 days.',
    ],
    ['another column', table(COLUMNS, ['Range', '412 km', '398 km']), 'The range of the Kestrel 3 is 412 km.'],
    ['another year', table(['Firm', 'Year', 'Revenue'], ['Kelm Metrics', '2015', '$210m']), 'Kelm Metrics had a revenue of $250m in 2019.'],
    ['another row', table(['Truck', 'Toll'], ['Large truck', '$21.60']), table(['Truck', 'Toll'], ['Small van', '$14.40'])],
  ])('does not differ from %s', (_, one, other) => {
    expect(synthesisOn(one, other).claims.length).toBeGreaterThan(1);
    expect(comparedIn(one, other)).not.toBe('figures differ');
    expect(comparedIn(other, one)).not.toBe('figures differ');
  });

  it.each<[string, string]>([
    [table(['Car', 'Heat pump', 'Seats'], ['Kestrel 3', 'yes', '5']), table(COLUMNS, ['Heat pump', '✗', '✓'])],
    [table(['Tool', 'Built-in encryption', 'Price'], ['Kelm', '✗', '€9']), 'Kelm has built-in encryption of all files and folders.'],
  ])('is denied by the other: %s', (one, other) => {
    expect(comparedIn(one, other)).toMatch(/^one denies it$|^disputed$/);
    expect(comparedIn(other, one)).toMatch(/^one denies it$|^disputed$/);
  });

  it.each([
    [table(['Tool', 'Self-hosting', 'Price'], ['Kelm', 'yes', '€9']), 'Self-hosting of Kelm does not need a database.'],
    [table(['Tool', 'Transactions', 'Price'], ['Kelm', 'yes', '€9']), 'Kelm does not lose transactions when a node fails.'],
    [
      table(['Tool', 'Open source', 'Price'], ['Kelm', 'no', '€9']),
      'Kelm is not only open source in name, and its free tier has no limits.',
    ],
  ])('is not denied by a sentence that denies something else: %s', (one, other) => {
    expect(comparedIn(one, other)).not.toMatch(/^one denies it$|^disputed$/);
  });

  it('of one market is not denied by that of another', () => {
    const [one, other] = [
      table(['Drug', 'Approved in the US', 'Maker'], ['Kelmol', 'yes', 'Tolm']),
      table(['Drug', 'Approved in the EU'], ['Kelmol', 'no']),
    ];
    expect(comparedIn(one, other)).not.toMatch(/^one denies it$|^disputed$/);
  });

  it('is told to differ from a third report if two agree on it', () => {
    const rows = [
      table(['River', 'Length (km)', 'Mouth'], ['Kelm', '1,233', 'Black Bay']),
      table(['River', 'Length'], ['Kelm', '1,233 km']),
    ];
    const reports = [...rows, 'The Kelm is 1,320 km long and flows into the North Sea.'];
    const providers = ['provider-a', 'provider-b', 'provider-b-lite'] as const;
    const steps = reports.map((report, at) => reported(providers[at] ?? 'provider-a', report, []));
    const { markdown } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
    expect(markdown).toContain('figures differ');
  });

  it('is not agreed by a cell that only has a dash', () => {
    const { claims } = synthesisOn(
      table(['Car', 'Heat pump', 'Seats'], ['Kestrel 3', 'yes', '5']),
      table(COLUMNS, ['Heat pump', '–', 'yes']),
    );
    expect(claims.filter(({ supporting }) => supporting.length > 1)).toEqual([]);
  });
});

describe('the remark on a row', () => {
  const ROWS = {
    plant: 'South Fork (US wind) | Size: 132 MW | Start: 2022 | Power: 2024',
    series: 'Series per node | TickVault: 10 M | Lodestream: 20 M',
    population: 'Kelm | Population 2020: 5.4 million | Mayor: Ada Fenn',
    roof: 'South | Saving: €168 | Yield: 800 kWh',
    rent: '1 | City: Oslo | Rent: €1,900',
    plan: 'Kelm Pro | Price per month: $9 | Seats: 5',
  };

  it.each<[string, string]>([
    [ROWS.series, 'Lodestream handles as many as 40 million series on a machine.'],
    [ROWS.rent, 'Oslo | Rent: €1,200 | Metro: yes'],
    [ROWS.population, 'Kelm | Population 2020: 5.9 million'],
    [ROWS.plan, 'Kelm Pro has a price of $12 a month for each person.'],
  ])('tells of other figures: %s', (row, other) => {
    expect(remarkOn(row, other)).toBe('figures differ');
  });

  it.each<[string, string]>([
    [ROWS.plant, 'Vogtle 3 and 4 (US) | Size: 2.2 GW | Start: 2013 | Power: 2024'],
    [ROWS.population, 'Kelm | Population: 5.6 million'],
    [ROWS.roof, 'South tilted, home all day | Saving: €190 | Use: 65 %'],
    [ROWS.plan, 'Kelm Pro has a price of $36 a year for each person.'],
  ])('tells of none: %s', (row, other) => {
    expect(remarkOn(row, other)).not.toBe('figures differ');
  });
});

describe('a unit in the head of a column', () => {
  it.each([
    ['Yield (t/ha)', '45.3', 'Yield: 45.3 t/ha'],
    ['Cost ($m)', '~40', 'Cost: ~$40m'],
    ['Cost (US$ billion)', '1.2–1.5', 'Cost: $1.2–1.5 billion'],
    ['Price (€/kg)', '4', 'Price: €4/kg'],
    ['Population (millions)', '5.4', 'Population: 5.4 million'],
    ['Share (%)', '31.4', 'Share: 31.4 %'],
    ['Length (m)', '412', 'Length: 412 m'],
    ['Award(s)', '12', 'Award(s): 12'],
    ['Players (min)', '2', 'Players (min): 2'],
    ['Passengers (m)', '41', 'Passengers (m): 41'],
    ['Rank (2025)', '12', 'Rank (2025): 12'],
    ['Cost ($m)', '1.2.3', 'Cost ($m): 1.2.3'],
  ])('belongs to its numbers: %s, %s', (head, cell, said) => {
    const { claims } = synthesisOn(table(['Thing', head, 'Seat'], ['Kelm', cell, 'Ulm']), 'Nothing else is known of Tolm.');
    expect(claims.map(({ claim }) => claim)).toContain(`Kelm | ${said} | Seat: Ulm`);
  });
});

describe('a row', () => {
  it('stands below each claim that tells one of its values, whole at the first and with that value at the others', () => {
    const { markdown: report } = synthesisOn(
      table(['', 'Kestrel 3', 'Sorano', 'Lumo'], ['Range', '412 km', '398 km', '265 km']),
      'The Kestrel 3 was praised by testers for its range of 432 km.\n\nFamilies with dogs prefer the Sorano, whose range is 389 km.',
      'methodical',
    );
    expect(report).toContain('figures differ: Range — Kestrel 3: 412 km; Sorano: 398 km; Lumo: 265 km (provider-a; low)');
    expect(report).toMatch(/figures differ: Range — (?:Kestrel 3: 412 km|Sorano: 398 km) \(provider-a; low\)/);
  });

  it('has the unit of its first cell beside each number', () => {
    const { claims } = synthesisOn(table(['', 'Q1', 'Q2'], ['Revenue of Kelm (€m)', '210', '225']), 'Nothing else is known of Tolm.');
    expect(claims.map(({ claim }) => claim)).toContain('Revenue of Kelm | Q1: €210m | Q2: €225m');
  });

  it('keeps together the cells that nobody else tells', () => {
    const { claims } = synthesize({
      query: 'What is known?',
      mode: 'fast',
      tier: 'L',
      steps: [
        reported('provider-a', table(CARS, ['Kestrel 3', '412 km', '€31,900', 'yes']), []),
        reported('provider-b', table(['Car', 'Range'], ['Kestrel 3', '412 km']), []),
      ],
    });
    expect(claims.map(({ claim }) => claim)).toEqual(['Kestrel 3 | Range: 412 km', 'Kestrel 3 | Price: €31,900 | Heat pump: yes']);
  });
});

describe('a list item with a name and its values', () => {
  it.each(['- Kestrel 3 – 412 km range, €31,900, five seats', '- **Kestrel 3** — 412 km range, €31,900, five seats'])(
    'is a claim: %s',
    (report) => {
      const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps: [reported('provider-a', report, [])] });
      expect(claims).toHaveLength(1);
    },
  );

  it.each(['- Table 3 – results of 2015', '- Contents – page 3, page 9', '- Sources – Kelm 2015, Ulm 2019'])(
    'is none if it tells of the text: %s',
    (report) => {
      const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps: [reported('provider-a', report, [])] });
      expect(claims).toEqual([]);
    },
  );
});
