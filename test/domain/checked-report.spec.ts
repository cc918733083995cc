import { checkedReport, citableUrl, UnfitReport } from '@lib/domain/checked-report';

const charge = { micros: 1_200, provenance: 'reported' as const };
const MARKDOWN = 'Wren rotates its files daily [1].';
const source = (changes: object = {}) => ({ index: 1, url: 'https://wren.example/logs', ...changes });
const report = (changes: object = {}) => ({ markdown: MARKDOWN, citations: [source()], charge, model: 'wren-1', ...changes });
const checkedSource = (changes: object, markdown = MARKDOWN) =>
  checkedReport(report({ markdown, citations: [source(changes)] })).citations[0];

function unfit(given: unknown): { message: string; charge: unknown } {
  try {
    checkedReport(given);
  } catch (error) {
    if (error instanceof UnfitReport) return { message: error.message, charge: error.charge };
    throw error;
  }
  throw new Error('it was not refused');
}

describe('a report that cannot be recorded', () => {
  it.each<[string, unknown, string, unknown]>([
    ['is no object', null, 'The report is not an object', undefined],
    ['is a list', [report()], 'The report is not an object', undefined],
    ['is a text', 'report', 'The report is not an object', undefined],
    ['has no text', report({ markdown: undefined }), 'The report has no text', charge],
    ['has only spaces', report({ markdown: ' \n' }), 'The report has no text', charge],
    ['has no list of citations', report({ citations: { 0: source() } }), 'The report has no list of citations', charge],
    [
      'has too many citations',
      report({ citations: Array.from({ length: 2_001 }, () => source()) }),
      'The report has 2001 citations, more than 2000',
      charge,
    ],
    [
      'has a citation that is null',
      report({ citations: [source(), null] }),
      'Citation 2 of the report has the index undefined, not a whole number from 1',
      charge,
    ],
    ['has a citation without a URL', report({ citations: [source({ url: null })] }), 'Citation 1 of the report has no URL', charge],
    [
      'has one mark for two sources',
      report({ citations: [source(), source({ url: 'https://kea.example/' })] }),
      'The mark [1] of the report stands for two different sources',
      charge,
    ],
    [
      'was charged by nobody',
      report({ charge: null }),
      'The charge is undefined (undefined), not a whole number of micro-dollars of known provenance',
      undefined,
    ],
    [
      'was charged in words',
      report({ charge: { micros: '5', provenance: 'told' } }),
      'The charge is 5 (told), not a whole number of micro-dollars of known provenance',
      undefined,
    ],
  ])('because it %s says so, with what it cost', (_, given, message, cost) => {
    expect(unfit(given)).toEqual({ message, charge: cost });
  });

  it('is an error with a name', () => expect(new UnfitReport('why', undefined).name).toBe('UnfitReport'));
});

describe('a charge', () => {
  it.each([0, 1, 1e12])('of %d micro-dollars is believed', (micros) => {
    expect(checkedReport(report({ charge: { ...charge, micros } })).charge.micros).toBe(micros);
  });

  it.each([-1, 1e12 + 1, 0.5, NaN, '5'])('of %p micro-dollars is not', (micros) => {
    expect(unfit(report({ charge: { ...charge, micros } })).message).toContain(`The charge is ${micros} (reported)`);
  });

  it('keeps the counts of usage that can be, and knows nothing of the others', () => {
    const usage = { inputTokens: 0, cachedInputTokens: -1, outputTokens: 7, searches: 1.5, pages: 3 };
    expect(checkedReport(report({ charge: { ...charge, usage, pricesSha256: 'ab' } })).charge).toEqual({
      ...charge,
      usage: { inputTokens: 0, cachedInputTokens: null, outputTokens: 7, searches: null },
      pricesSha256: 'ab',
    });
    expect(checkedReport(report({ charge: { ...charge, usage: { searches: 2, inputTokens: '7' } } })).charge.usage).toEqual({
      ...{ inputTokens: null, cachedInputTokens: null, outputTokens: null },
      searches: 2,
    });
  });

  it.each<[string, object]>([
    ['of which nobody told the usage', {}],
    ['with a usage that is a list', { usage: [1] }],
    ['with a usage that is null', { usage: null }],
    ['with prices that are no text', { pricesSha256: 7 }],
  ])('%s is known without', (_, more) => {
    expect(checkedReport(report({ charge: { ...charge, ...more } })).charge).toEqual(charge);
  });
});

describe('a citation', () => {
  it.each([1, 2, 2 ** 31 - 1])('may have the number %d', (index) => expect(checkedSource({ index })?.index).toBe(index));

  it.each([0, -1, 2 ** 31, 1.5, '1'])('may not have the number %p', (index) => {
    expect(unfit(report({ citations: [source({ index })] })).message).toContain(`Citation 1 of the report has the index ${index}`);
  });

  it.each([
    [0, 4, true],
    [0, MARKDOWN.length, true],
    [3, 4, true],
    [-1, 4, false],
    [4, 4, false],
    [5, 4, false],
    [0, MARKDOWN.length + 1, false],
    [0, undefined, false],
    [undefined, 4, false],
    ['0', 4, false],
    [0, 4.5, false],
  ])('from %p to %p of the report has its span: %p', (startIndex, endIndex, kept) => {
    const wanted = kept ? { startIndex, endIndex } : { startIndex: null, endIndex: null };
    expect(checkedSource({ startIndex, endIndex })).toMatchObject(wanted);
  });

  it('counts in its span neither the NULs before it nor those in it', () => {
    const markdown = '\0a\0bc\0d';
    // "bc" with the NUL before it, then up to right before the next one.
    expect(checkedSource({ startIndex: 2, endIndex: 5 }, markdown)).toMatchObject({ startIndex: 1, endIndex: 3 });
    expect(checkedSource({ startIndex: 3, endIndex: 7 }, markdown)).toMatchObject({ startIndex: 1, endIndex: 4 });
  });

  it('of the same source may come twice with its number', () => {
    expect(checkedReport(report({ citations: [source(), source({ startIndex: 0, endIndex: 4 })] })).citations).toHaveLength(2);
  });

  it('has null for whatever is no text, or an empty one', () => {
    expect(checkedSource({ title: 7, snippet: '', publishedAt: ['2026'] })).toMatchObject({
      title: null,
      snippet: null,
      publishedAt: null,
    });
    expect(checkedSource({ title: '\0' })?.title).toBeNull();
  });

  it.each([
    ['title', 1_000],
    ['snippet', 50_000],
    ['publishedAt', 100],
  ] as const)('has a %s of at most %d units, which is not cut within a character', (field, longest) => {
    expect(checkedSource({ [field]: 'x'.repeat(longest) })?.[field]).toBe('x'.repeat(longest));
    expect(checkedSource({ [field]: 'x'.repeat(longest + 1) })?.[field]).toBe('x'.repeat(longest));
    expect(checkedSource({ [field]: `${'x'.repeat(longest - 1)}😀` })?.[field]).toBe('x'.repeat(longest - 1));
  });

  it('has the host of its URL as its domain, and that of its title only behind the redirect of Google', () => {
    const redirect = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbCd';
    expect(checkedSource({ title: 'kea.example' })?.domain).toBe('wren.example');
    expect(checkedSource({ url: redirect, title: 'kea.example' })?.domain).toBe('kea.example');
    expect(checkedSource({ url: redirect })?.domain).toBe('vertexaisearch.cloud.google.com');
    expect(checkedSource({ url: redirect, title: 'Keas' })?.domain).toBe('vertexaisearch.cloud.google.com');
    expect(checkedSource({ url: 'corpus:/a.md' })?.domain).toBeNull();
  });
});

describe('a URL', () => {
  it.each(['http://wren.example/', 'https://wren.example/', 'corpus:/a.md'])('%s can be shown as a link', (url) => {
    expect(citableUrl(url)?.href).toBe(url);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'no url'])('%s cannot', (url) => {
    expect(citableUrl(url)).toBeNull();
    expect(checkedReport(report({ citations: [source({ url })] })).citations).toEqual([]);
  });

  it('has 8192 units at most', () => {
    const url = (units: number) => `https://wren.example/${'x'.repeat(units - 'https://wren.example/'.length)}`;
    expect(citableUrl(url(8192))).not.toBeNull();
    expect(citableUrl(url(8193))).toBeNull();
  });
});

describe('the text', () => {
  it.each([
    ['a\0b', 'ab'],
    ['a\ud800b', 'a\ufffdb'],
    ['a\ud800\0b', 'a\ufffdb'],
    ['a 😀 b', 'a 😀 b'],
  ])('%j is recorded as %j', (markdown, wanted) => {
    expect(checkedReport(report({ markdown, citations: [] })).markdown).toBe(wanted);
  });
});

describe('the name of the model', () => {
  it.each<[unknown, string | null]>([
    ['wren-1', 'wren-1'],
    [' wren\n\t1 ', 'wren 1'],
    ['x'.repeat(201), 'x'.repeat(200)],
    ['', null],
    ['\n', null],
    [7, null],
    [undefined, null],
  ])('%j is recorded as %j', (model, wanted) => {
    expect(checkedReport(report({ model })).model).toBe(wanted);
  });
});
