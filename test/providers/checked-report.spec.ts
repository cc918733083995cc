import fc from '../support/properties';

import { checkedReport, MAX_CITATIONS } from '@lib/domain/checked-report';
import { research } from '@lib/providers/research';
import type { ResearchReport } from '@lib/providers/research-provider';

import { fakeProvider, REPORT, source, type FakeProvider } from './fake-provider';
import { newRun, requestOf } from './request';

/** A provider whose response is read as this, whatever the types say. */
const reporting = (report: unknown): FakeProvider => fakeProvider({ parse: () => report as ResearchReport });
const reportWith = (changes: object): FakeProvider => reporting({ ...REPORT, ...changes });
const malformed = { name: 'ProviderError', errorClass: 'malformed' };

describe('a response', () => {
  it('longer than allowed is refused with both sizes', async () => {
    const provider = fakeProvider({ submit: async () => ({ state: 'finished', raw: 'é'.repeat(600) }) });
    const request = requestOf({ limits: { ...requestOf().limits, maxResponseBytes: 1000 } });
    await expect(research(provider, request, newRun)).rejects.toMatchObject({
      ...malformed,
      message: expect.stringMatching(/1200 .*1000/) as string,
    });
  });

  it('that cannot be read ends the run', async () => {
    const provider = fakeProvider({ parse: () => JSON.parse('<html>') as ResearchReport });
    await expect(research(provider, requestOf(), newRun)).rejects.toMatchObject({ ...malformed, details: { runEnded: true } });
  });

  it.each([null, 'text', 7, [], {}])('that is read as %j is refused', async (report) => {
    await expect(research(reporting(report), requestOf(), newRun)).rejects.toMatchObject(malformed);
  });

  it.each(['', '  \n', null, 12])('with the text %j is refused, and its charge kept', async (markdown) => {
    const run = research(reportWith({ markdown }), requestOf(), newRun);
    await expect(run).rejects.toMatchObject({ ...malformed, details: { charge: REPORT.charge } });
  });

  it('without a text, of which nothing tells the cost, is not charged by an estimate', async () => {
    const estimated = { micros: 9000, provenance: 'estimated' };
    const run = research(reportWith({ markdown: '', charge: estimated }), requestOf(), newRun);
    await expect(run).rejects.toMatchObject({ ...malformed, details: expect.not.objectContaining({ charge: estimated }) });
  });

  it.each([NaN, Infinity, -1, 0.5, 2 ** 60, '12', null])('with a charge of %p is refused', async (micros) => {
    const run = research(reportWith({ charge: { micros, provenance: 'reported' } }), requestOf(), newRun);
    await expect(run).rejects.toMatchObject(malformed);
  });

  it.each([undefined, null, { micros: 1 }, { micros: 1, provenance: 'invented' }])('with the charge %j is refused', async (charge) => {
    await expect(research(reportWith({ charge }), requestOf(), newRun)).rejects.toMatchObject(malformed);
  });
});

describe('the text of a report', () => {
  it('is well-formed Unicode without NUL, and spans still point at the same words', async () => {
    const markdown = 'A\0B \ud800 quoted\0 words [1].';
    const startIndex = markdown.indexOf('quoted');
    const provider = reportWith({ markdown, citations: [source({ startIndex, endIndex: markdown.indexOf(' [1]'), title: 'a\0\udfff' })] });
    const { report } = await research(provider, requestOf(), newRun);
    expect(report.markdown).toBe('AB \ufffd quoted words [1].');
    const [citation] = report.citations;
    expect(report.markdown.slice(citation?.startIndex ?? 0, citation?.endIndex ?? 0)).toBe('quoted words');
    expect(citation?.title).toBe('a\ufffd');
  });

  it('is well-formed for any text, with spans inside it', async () => {
    const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: -2, max: 44 }), fc.integer({ min: -2, max: 44 }), async (noise, startIndex, endIndex) => {
        const provider = reportWith({ markdown: `x${noise}`, citations: [source({ startIndex, endIndex })] });
        const { report } = await research(provider, requestOf(), newRun);
        expect(report.markdown).not.toMatch(/[\0\p{Surrogate}]/u);
        const [citation] = report.citations;
        if (citation?.startIndex === null) expect(citation.endIndex).toBeNull();
        else expect(citation?.endIndex).toBeLessThanOrEqual(report.markdown.length);
      }),
    );
  });
});

describe('the citations of a report', () => {
  it.each([
    ['no list', null],
    ['an index of 0', [source({ index: 0 })]],
    ['an index that is text', [source({ index: '1' })]],
    ['no object', ['https://wren.example']],
    ['no URL', [source({ url: undefined })]],
    ['one mark for two sources', [source({}), source({ url: 'https://other.example/' })]],
    ['more than anybody can look at', Array.from({ length: 10_000 }, (_, at) => source({ index: at + 1 }))],
  ])('with %s are refused', async (_, citations) => {
    await expect(research(reportWith({ citations }), requestOf(), newRun)).rejects.toMatchObject(malformed);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not a url', '', `https://wren.example/${'x'.repeat(9000)}`])(
    'lose the one whose URL is %.40j',
    async (url) => {
      const { report } = await research(reportWith({ citations: [source({ index: 2, url }), source({})] }), requestOf(), newRun);
      expect(report.citations.map(({ index }) => index)).toEqual([1]);
    },
  );

  it.each([
    [5, 3],
    [-1, 4],
    [0, 34],
    [0.5, 4],
    [null, 4],
    ['0', '4'],
  ])('lose the span %j to %j, which is none of the report', async (startIndex, endIndex) => {
    const { report } = await research(reportWith({ citations: [source({ startIndex, endIndex })] }), requestOf(), newRun);
    expect(report.citations[0]).toMatchObject({ startIndex: null, endIndex: null });
  });

  it('keep a span to the end of the report', async () => {
    const span = { startIndex: REPORT.markdown.length - 3, endIndex: REPORT.markdown.length };
    const { report } = await research(reportWith({ citations: [source(span)] }), requestOf(), newRun);
    expect(report.citations[0]).toMatchObject(span);
  });

  it('have every field, and the domain of their URL', async () => {
    const citations = [
      { index: 1, url: 'https://docs.wren.example:8443/a' },
      { index: 2, url: 'corpus:/a.md#L1-L2', domain: 'a lie' },
    ];
    const { report } = await research(reportWith({ citations }), requestOf(), newRun);
    const unsaid = { title: null, snippet: null, startIndex: null, endIndex: null, publishedAt: null };
    expect(report.citations).toEqual([
      { index: 1, url: 'https://docs.wren.example:8443/a', domain: 'docs.wren.example', ...unsaid },
      { index: 2, url: 'corpus:/a.md#L1-L2', domain: null, ...unsaid },
    ]);
  });

  it.each([
    ['the site that their title names', 'Docs.Wren.example', 'docs.wren.example'],
    ['that of the redirect where the title is a title', 'How Wren rotates. And more', 'vertexaisearch.cloud.google.com'],
    ['that of the redirect where the title is a version', '3.14', 'vertexaisearch.cloud.google.com'],
    ['that of the redirect where there is no title', undefined, 'vertexaisearch.cloud.google.com'],
  ])("have, behind a redirect of Google's grounding, as their domain %s", async (_, title, domain) => {
    const url = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbCd';
    const { report } = await research(reportWith({ citations: [source({ url, title })] }), requestOf(), newRun);
    expect(report.citations).toMatchObject([{ url, domain }]);
  });

  it('have the domain of their URL everywhere else, whatever their title names', async () => {
    const citations = [source({ url: 'https://mirror.example/a', title: 'docs.wren.example' })];
    const { report } = await research(reportWith({ citations }), requestOf(), newRun);
    expect(report.citations).toMatchObject([{ domain: 'mirror.example' }]);
  });

  it(`may be ${MAX_CITATIONS}`, async () => {
    const citations = Array.from({ length: MAX_CITATIONS }, (_, at) => source({ index: at + 1 }));
    expect((await research(reportWith({ citations }), requestOf(), newRun)).report.citations).toHaveLength(MAX_CITATIONS);
  });
});

it.each<[string, object[], string]>([
  [
    'a number that is none',
    [{ ...source({}) }, { ...source({}), index: 1.5 }],
    'Citation 2 of the report has the index 1.5, not a whole number from 1',
  ],
  ['no URL', [{ ...source({}), url: 7 }], 'Citation 1 of the report has no URL'],
  [
    'the number of another source',
    [source({}), { ...source({}), url: 'https://example.org/else' }],
    'The mark [1] of the report stands for two different sources',
  ],
])('of a citation with %s the error says which and why', (_, citations, message) => {
  expect(() => checkedReport({ ...REPORT, citations })).toThrow(message);
});
