import { PROPOSAL_FLAWS, proposalsFor } from '../../emulators/proposals';

const REPORTS = [
  { report: 'R1', text: 'Wren rotates its files every day [1]. Wren keeps 14 rotated files [2].' },
  { report: 'R2', text: 'Wren rotates its files every day [1].\n\nWren keeps 30 rotated files [1].' },
];
const REQUEST = `<reports>\n${REPORTS.map((report) => JSON.stringify(report)).join('\n')}\n</reports>`;

describe('an emulated model that is given reports', () => {
  it('proposes equal sentences as agreements, and those of two numbers as disputes', () => {
    const { claims, disputes } = JSON.parse(proposalsFor(REQUEST, undefined) ?? '') as Record<string, { quotes: object[] }[]>;
    expect(claims?.[0]?.quotes).toEqual([
      { report: 'R1', quote: 'Wren rotates its files every day [1].' },
      { report: 'R2', quote: 'Wren rotates its files every day [1].' },
    ]);
    expect(disputes?.map(({ quotes }) => quotes)).toEqual([
      [
        { report: 'R1', quote: 'Wren keeps 14 rotated files [2].' },
        { report: 'R2', quote: 'Wren keeps 30 rotated files [1].' },
      ],
    ]);
  });

  it.each(PROPOSAL_FLAWS)('answers otherwise with the flaw %s', (flaw) => {
    expect(proposalsFor(REQUEST, flaw)).not.toBe(proposalsFor(REQUEST, undefined));
  });

  it('proposes nothing to any other request', () => {
    expect(proposalsFor('How does Wren rotate its files?', undefined)).toBeNull();
  });
});
