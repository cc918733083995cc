import fc from '../support/properties';
import type { Citation } from '@lib/domain/citation';
import type { ResearchReport } from '@lib/providers/research-provider';
import { fitReport, fitResult } from '../../src/worker/fit-report';

const NOTE = /\n\n\*\[The rest of this report is left out: it was longer than a message may be\.\]\*$/;

const citation = (index: number, changes: Partial<Citation> = {}): Citation => ({
  ...{ index, url: `https://example.org/${index}`, title: null, snippet: null, startIndex: null, endIndex: null, publishedAt: null },
  ...{ domain: 'example.org', ...changes },
});
const reportOf = (markdown: string, citations: Citation[] = []): ResearchReport => ({
  ...{ markdown, citations, charge: { micros: 0, provenance: 'reported' as const }, model: null },
});
const paragraphs = (count: number) => Array.from({ length: count }, (_, place) => `Paragraph ${place + 1} of the report.`).join('\n\n');
const bytesOf = ({ markdown, citations }: Pick<ResearchReport, 'markdown' | 'citations'>) =>
  Buffer.byteLength(JSON.stringify(markdown)) + citations.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)) + 1, 0);

describe('a report that fits', () => {
  it('stays as it is, to the last byte', () => {
    const report = reportOf(paragraphs(3), [citation(1)]);
    expect(fitReport(report, bytesOf(report))).toEqual({ markdown: report.markdown, citations: report.citations, truncated: false });
  });
});

describe('a report that is too long', () => {
  it('ends with a whole paragraph and says that the rest is left out', () => {
    const { markdown, truncated } = fitReport(reportOf(paragraphs(100)), 1_000);
    expect(truncated).toBe(true);
    expect(markdown).toMatch(NOTE);
    expect(paragraphs(100).startsWith(`${markdown.replace(NOTE, '')}\n\n`)).toBe(true);
  });

  it('is cut inside its first paragraph only if even that is too long, and never inside a character', () => {
    const { markdown } = fitReport(reportOf('😀'.repeat(5_000)), 1_000);
    expect(markdown.replace(NOTE, '')).toMatch(/^(😀)+$/u);
    expect(markdown.isWellFormed()).toBe(true);
  });

  it('uses the room that it has, and never more', () => {
    const fitted = fitReport(reportOf('x'.repeat(5_000)), 1_000);
    expect(bytesOf(fitted)).toBeLessThanOrEqual(1_000);
    expect(bytesOf(fitted)).toBeGreaterThan(900);
  });

  it('keeps its citations, without the spans that are no longer in it', () => {
    const text = paragraphs(100);
    const citations = [citation(1, { startIndex: 0, endIndex: 10 }), citation(2, { startIndex: text.length - 5, endIndex: text.length })];
    const fitted = fitReport(reportOf(text, citations), 1_500);
    expect(fitted.citations).toEqual([citations[0], citation(2)]);
  });

  it('keeps the span that ends where the kept text ends, and drops one that ends a character later', () => {
    const text = paragraphs(100);
    // Spans differ by nothing in size, so the cut is where it is without them.
    const spanning = (end: number) => [citation(1, { startIndex: 0, endIndex: end }), citation(2, { startIndex: 0, endIndex: end + 1 })];
    const { markdown } = fitReport(reportOf(text, spanning(text.length - 1)), 1_500);
    const kept = markdown.replace(NOTE, '').length;
    const citations = spanning(kept);
    const fitted = fitReport(reportOf(text, citations), 1_500);
    expect(fitted.markdown.replace(NOTE, '')).toHaveLength(kept);
    expect(fitted.citations).toEqual([citations[0], citation(2)]);
  });

  it('because of its citations alone keeps its whole text, if that fits to the byte', () => {
    const text = 'One paragraph.\n\nAnother one.';
    const note = '\n\n*[The rest of this report is left out: it was longer than a message may be.]*';
    const room = Buffer.byteLength(JSON.stringify(text)) + 2 * Buffer.byteLength(note);
    const large = [citation(1, { snippet: 'x'.repeat(1_000) })];
    expect(fitReport(reportOf(text, large), room)).toEqual({ markdown: text + note, citations: [], truncated: true });
    expect(fitReport(reportOf(text, large), room - 1).markdown).toBe(`One paragraph.${note}`);
  });

  it('because of its citations loses the last of them, and says so', () => {
    const citations = Array.from({ length: 50 }, (_, place) => citation(place + 1, { snippet: 'x'.repeat(200) }));
    const fitted = fitReport(reportOf('A short one.', citations), 4_000);
    expect(fitted.truncated).toBe(true);
    expect(fitted.citations.length).toBeGreaterThan(3);
    expect(fitted.citations).toEqual(citations.slice(0, fitted.citations.length));
    expect(fitted.markdown).toMatch(NOTE);
  });

  it('that begins with an empty paragraph is cut inside of it rather than to nothing', () => {
    const { markdown } = fitReport(reportOf(`\n\n${'x'.repeat(5_000)}`), 1_000);
    expect(markdown.replace(NOTE, '')).toMatch(/^\n\nx{700,}$/);
  });

  it('gives at most half of its room to citations', () => {
    const citations = Array.from({ length: 50 }, (_, place) => citation(place + 1, { snippet: 'x'.repeat(200) }));
    const fitted = fitReport(reportOf(paragraphs(1_000), citations), 8_000);
    const bytes = bytesOf({ markdown: '', citations: fitted.citations }) - 2;
    const one = bytesOf({ markdown: '', citations: citations.slice(0, 1) }) - 2;
    expect(bytes).toBeLessThanOrEqual(4_000);
    expect(bytes).toBeGreaterThan(4_000 - one - 10);
    expect(bytesOf(fitted)).toBeGreaterThan(7_500);
  });

  it('fits whatever it is made of, and its spans lie inside it', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000 }),
      fc.array(fc.constantFrom('\n\n', '\u0001', '漢', 'word ', '😀', '"'), { maxLength: 3_000 }).map((parts) => parts.join('')),
    );
    const sources = fc.array(fc.tuple(fc.nat({ max: 3_000 }), fc.string({ maxLength: 300 })), { maxLength: 30 });
    fc.assert(
      fc.property(text, sources, fc.integer({ min: 1_000, max: 20_000 }), (markdown, given, maxBytes) => {
        const citations = given.map(([end, snippet], place) =>
          citation(place + 1, { snippet, startIndex: 0, endIndex: Math.min(end, markdown.length) }),
        );
        const fitted = fitReport(reportOf(markdown, citations), maxBytes);
        expect(bytesOf(fitted)).toBeLessThanOrEqual(maxBytes);
        expect(fitted.citations.every(({ endIndex }) => (endIndex ?? 0) <= fitted.markdown.length)).toBe(true);
        if (fitted.truncated) expect(fitted.markdown).toMatch(NOTE);
        else expect(fitted.markdown).toBe(markdown);
      }),
    );
  });
});

describe('a result that waited for its message', () => {
  const resultOf = ({ markdown: reportMarkdown, citations }: ResearchReport) => ({
    ...{ outcome: 'completed' as const, charge: { micros: 0, provenance: 'reported' as const }, rawSha256: '', model: null },
    ...{ reportMarkdown, citations, truncated: false },
  });
  const failure = { outcome: 'failed' as const, errorClass: 'unavailable' as const, errorMessage: 'x'.repeat(2_000) };

  it('stays as it is where it fits to the byte, or has no report', () => {
    const report = reportOf(paragraphs(10), [citation(1)]);
    const result = resultOf(report);
    expect(fitResult(result, bytesOf(report))).toBe(result);
    const failed = { ...failure, charge: null, retryAfterMs: null, runEnded: false };
    expect(fitResult(failed, 1)).toBe(failed);
  });

  it('is cut as a report that comes now, with one note, though it was cut before', () => {
    const report = reportOf(paragraphs(100), [citation(1)]);
    const { markdown, ...fitted } = fitReport(report, 1_000);
    const before = fitResult(resultOf(report), 2_000);
    expect(before).toMatchObject({ truncated: true, reportMarkdown: expect.stringMatching(NOTE) as string });
    expect(fitResult(before, 1_000)).toEqual({ ...resultOf(report), ...fitted, reportMarkdown: markdown });
  });
});
