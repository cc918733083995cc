import { likenessOf } from '@lib/synthesis/same-point/likeness';
import { underHeadings } from '@lib/synthesis/report/under-headings';
import { findingsOf, synthesize } from '@lib/synthesis/synthesize';
import { reported, sectionOf } from './steps';

const A = 'https://a.example/page';
const B = 'https://b.example/page';
const C = 'https://c.example/page';

const FIRST = `## Bottom line

The Arlen R5 suits most commuters. [1]

Testers praised its quiet motor. [1]

## Battery life

The battery of the Arlen R5 holds 540 watt-hours. [1]

Cold weather takes a fifth of the battery's capacity away. [1]

The battery charger weighs 900 grams. [1]

A spare battery costs 480 euros. [1]

## Reliability

The rear hub creaked on several early bicycles. [1]

Spokes broke on two of the test riders' wheels. [1]

Its drivetrain ran for 8,000 kilometres without trouble. [1]

Mudguards rattled on cobbles. [1]

## Frame

The frame is welded from aluminium. [1]

Four sizes are offered. [1]
`;
const SECOND = `## 🔧 Reliability and recalls

A recall of March 2025 concerned the fork's steerer tube. [1]

Dealers replaced about nine hundred forks for nothing. [1]

One display failed in heavy rain. [1]

## Conclusion

Buyers who climb much should look elsewhere. [1]

Insurance is worth its price in larger towns. [1]

Deliveries take six weeks. [1]
`;
const THIRD = `Mechanics grumble about the belt drive. [1]

The battery loses capacity every winter, so owners carry a spare battery charger. [1]

The maker sits in Ghent. [1]

Aluminium is welded by hand. [1]

Paint comes in three colours, offered as extras. [1]

Riders over two metres complain. [1]
`;

/** The titles of a report's topics, each with what stands below it. */
function topicsOf(...reports: string[]): Map<string, string> {
  const providers = ['provider-a', 'provider-b', 'provider-c'] as const;
  const sources = [A, B, C];
  const steps = reports.map((markdown, place) => reported(providers[place] ?? 'provider-a', markdown, [sources[place] ?? A]));
  const { markdown } = synthesize({ query: 'Is the Arlen R5 a good bicycle?', mode: 'fast', tier: 'S', steps });
  const parts = sectionOf(markdown, 'More by topic').split(/^### /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]));
}

describe('what the report has no room for above', () => {
  it('is sorted as the reports sort it, where their headings speak of the same under one of these', () => {
    const topics = topicsOf(FIRST, SECOND, THIRD);
    const reliability = [...topics].filter(([title]) => title.startsWith('Reliability'));
    expect(reliability).toHaveLength(1);
    expect(reliability[0]?.[1]).toContain('Spokes broke');
    expect(reliability[0]?.[1]).toContain('nine hundred forks');
  });

  it('has no title that tells nothing of what stands below it, and no picture in one', () => {
    const titles = [...topicsOf(FIRST, SECOND, THIRD).keys()];
    expect(titles).not.toContain('Bottom line');
    expect(titles).not.toContain('Conclusion');
    expect(titles.at(-1)).toBe('Other points');
    expect(titles.join()).not.toMatch(/🔧/u);
  });

  it('puts a sentence that stands under no heading to those that it is most like', () => {
    const steps = [reported('provider-a', FIRST, [A]), reported('provider-c', THIRD, [C])];
    const { claims, outline } = findingsOf({ query: 'Is the Arlen R5 a good bicycle?', mode: 'fast', tier: 'L', steps });
    const parts = underHeadings(likenessOf(claims, outline.asked.stems));
    const titleOf = (words: string): string | undefined =>
      parts.find((part) => part.claims.some(({ text }) => text.includes(words)))?.title;
    expect(titleOf('loses capacity')).toBe('Battery life');
    expect(titleOf('by hand')).toBe('Frame');
    expect(titleOf('Ghent')).toBeUndefined();
  });

  it('says each line once', () => {
    const lines = [...topicsOf(FIRST, SECOND, THIRD).values()].flatMap((part) => part.split('\n').filter((line) => line.startsWith('- ')));
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.length).toBeGreaterThan(4);
  });
});
