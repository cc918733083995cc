import fc from '../support/properties';

import { citeSources, type Annotation } from '@lib/providers/sources';

const WREN = 'https://wren.example/logs';
const OWL = 'https://owl.example/';

/** Annotates a part of the text, which must occur in it. */
function on(text: string, part: string, url: string): Annotation {
  const startIndex = text.indexOf(part);
  if (startIndex < 0) throw new Error(`"${part}" is not in the text`);
  return { url, startIndex, endIndex: startIndex + part.length };
}

const unplaced = (url: string): Annotation => ({ url, startIndex: null, endIndex: null });

describe('marks', () => {
  it('are put where the provider annotated a part, before what closes it', () => {
    const text = 'Wren rotates daily. Owls sleep.\n';
    const { markdown, citations } = citeSources(text, [on(text, 'Owls sleep.\n', OWL), on(text, 'Wren rotates daily.', WREN)]);
    expect(markdown).toBe('Wren rotates daily [1]. Owls sleep [2].\n');
    expect(citations.map(({ url, startIndex, endIndex }) => [url, markdown.slice(startIndex ?? 0, endIndex ?? 0)])).toEqual([
      [WREN, 'Wren rotates daily [1].'],
      [OWL, 'Owls sleep [2].\n'],
    ]);
  });

  it('take the place of links that the provider put in parentheses for its annotations', () => {
    const text = `Wren rotates daily ([wren.example](${WREN}?utm_source=openai)).`;
    const { markdown, citations } = citeSources(text, [on(text, text.slice(19, -1), `${WREN}?utm_source=openai`)]);
    expect(markdown).toBe('Wren rotates daily [1].');
    expect(citations).toMatchObject([{ index: 1, startIndex: 19, endIndex: 22 }]);
  });

  it.each(['UTF-16 units', 'code points'])('stand at the same words where a provider counts in %s', (unit) => {
    const lines = ['Wren', 'Owl', 'Crow'].map((name) => `${'🚀'.repeat(30)} ${name}s sleep ([it](https://${name}.example/)).`);
    const text = lines.join(' Nothing more is known of it. ');
    const counted = (end: number): number => (unit === 'code points' ? Array.from(text.slice(0, end)).length : end);
    const annotations = lines.map((line, place) => {
      const url = `https://${['Wren', 'Owl', 'Crow'][place]}.example/`;
      const start = text.indexOf(line) + line.indexOf('(');
      return { url, startIndex: counted(start), endIndex: counted(start + line.length - line.indexOf('(') - 1) };
    });
    const { markdown, citations } = citeSources(text, annotations);
    expect(markdown.replaceAll('🚀', '')).toBe(
      ' Wrens sleep [1]. Nothing more is known of it.  Owls sleep [2]. Nothing more is known of it.  Crows sleep [3].',
    );
    expect(citations.map(({ startIndex, endIndex }) => markdown.slice(startIndex ?? 0, endIndex ?? 0))).toEqual(['[1]', '[2]', '[3]']);
  });

  it('take the place of linked numbers, whatever number they had', () => {
    const text = `Wren rotates daily.[[4]](${WREN}) Owls sleep.[[2]](${OWL})`;
    const { markdown, citations } = citeSources(text, [unplaced(OWL), unplaced(WREN)]);
    expect(markdown).toBe('Wren rotates daily.[1] Owls sleep.[2]');
    expect(citations.map(({ index, url }) => [index, url])).toEqual([
      [1, WREN],
      [2, OWL],
    ]);
  });

  it('are renumbered in the order of the text', () => {
    const numbered = new Map([1, 2, 3].map((number) => [number, { url: `https://source.example/${number}` }]));
    const { markdown, citations } = citeSources('One [3]. Two [1, 3]. Three [^1].', [], numbered);
    expect(markdown).toBe('One [1]. Two [2][1]. Three [2].');
    expect(citations.map(({ url }) => url)).toEqual(['https://source.example/3', 'https://source.example/1']);
  });

  it('stand for the source that the provider annotated them with', () => {
    const text = 'Wren rotates daily [7]. Owls sleep【3†owls】.';
    const { markdown } = citeSources(text, [on(text, 'Wren rotates daily [7]', WREN), on(text, '【3†owls】', OWL)]);
    expect(markdown).toBe('Wren rotates daily [1]. Owls sleep[2].');
  });

  it('that stand for nothing known are escaped', () => {
    const text = `First [1]. Second [2](https://unknown.example/). Third.【9†x】 Rotates.`;
    const { markdown, citations } = citeSources(text, [on(text, 'Rotates.', WREN)]);
    expect(markdown).toBe('First \\[1]. Second [\\[2\\]](https://unknown.example/). Third. Rotates [1].');
    expect(citations).toHaveLength(1);
  });

  it('in code are code', () => {
    const text = 'Take `rows[1]` and\n```\nrows[2] = 1\n```\nas said [1].';
    const { markdown } = citeSources(text, [], new Map([[1, { url: WREN }]]));
    expect(markdown).toBe(text);
  });

  it('never fall into a link, a piece of code or a character', () => {
    const text = `See [the manual](${OWL}) and \`a.b\` 😀!`;
    const inside = (part: string) => ({ url: WREN, startIndex: 0, endIndex: text.indexOf(part) + 1 });
    const { markdown } = citeSources(text, [inside('manual'), inside('a.b'), inside('😀')]);
    expect(markdown).toBe(`See [the manual](${OWL}) [1] and \`a.b\` [1] 😀 [1]!`);
  });

  it('of two sources for one part stand side by side', () => {
    const text = 'Wren rotates daily.';
    const { markdown } = citeSources(text, [on(text, text, WREN), on(text, text, OWL), on(text, text, WREN)]);
    expect(markdown).toBe('Wren rotates daily [1][2].');
  });
});

describe('sources', () => {
  const cited = (urls: readonly string[]) => {
    const text = urls.map((_, number) => `Statement ${number}.`).join(' ');
    return citeSources(
      text,
      urls.map((url, number) => on(text, `Statement ${number}.`, url)),
    ).citations;
  };

  it('are one under any protocol, www, trailing slash, tracking parameter, fragment or open redirect', () => {
    const spellings = [
      'https://wren.example/logs',
      'http://www.wren.example/logs/',
      'https://wren.example/logs?utm_source=openai&fbclid=1',
      'https://wren.example/logs#rotation',
      'https://www.google.com/url?q=https%3A%2F%2Fwren.example%2Flogs&sa=U',
    ];
    expect(new Set(cited(spellings).map(({ index }) => index))).toEqual(new Set([1]));
  });

  it('are two where the query says which page it is', () => {
    const videos = cited(['https://www.youtube.com/watch?v=aaa', 'https://www.youtube.com/watch?v=bbb&utm_source=x']);
    expect(videos.map(({ index }) => index)).toEqual([1, 2]);
  });

  it('keep what any of their annotations said', () => {
    const text = 'Wren rotates daily.';
    const { citations } = citeSources(text, [
      on(text, text, WREN),
      { ...unplaced(`${WREN}/`), title: 'Logs', snippet: 'daily', publishedAt: '2026-01-02' },
    ]);
    expect(citations).toMatchObject([{ url: WREN, title: 'Logs', snippet: 'daily', publishedAt: '2026-01-02', domain: null }]);
  });

  it('that nobody could click are none, and leave no mark', () => {
    const text = 'Wren rotates daily.';
    expect(citeSources(text, [on(text, text, 'javascript:alert(1)'), on(text, text, 'no url')])).toEqual({ markdown: text, citations: [] });
  });

  it('are never local documents: an API has read none, and its words would pass for theirs', () => {
    const text = 'The key is public. Wren rotates daily [1].';
    const document = 'corpus:/policies/keys.md#L1-L2';
    const given = [on(text, 'The key is public.', document), on(text, 'Wren rotates daily', ' CORPUS:/notes.md'), unplaced(WREN)];
    const { markdown, citations } = citeSources(text, given, new Map([[1, { url: document }]]));
    expect(markdown).toBe('The key is public. Wren rotates daily \\[1].');
    expect(citations.map(({ url }) => url)).toEqual([WREN]);
  });

  it('without a place count only where no other is given', () => {
    const text = 'Wren rotates daily.';
    expect(citeSources(text, [unplaced(WREN), unplaced(OWL)]).citations.map(({ url, startIndex }) => [url, startIndex])).toEqual([
      [WREN, null],
      [OWL, null],
    ]);
    expect(citeSources(text, [unplaced(WREN), on(text, text, OWL)]).citations.map(({ url }) => url)).toEqual([OWL]);
  });

  it.each([
    [-1, 5],
    [5, 5],
    [9, 3],
    [0, 1000],
    [0.5, 3],
    [Number.NaN, 3],
  ])('for the impossible part %d to %d have no place', (startIndex, endIndex) => {
    const { markdown, citations } = citeSources('Wren rotates.', [{ url: WREN, startIndex, endIndex }]);
    expect(markdown).toBe('Wren rotates.');
    expect(citations).toMatchObject([{ index: 1, startIndex: null, endIndex: null }]);
  });

  it('are numbered without gaps, every mark has one, and each lies where its mark is', () => {
    const piece = fc.constantFrom(
      'Wren ',
      'sleeps. ',
      '[1]',
      '[2, 3]',
      `[[1]](${WREN})`,
      `([o](${OWL}))`,
      '`[1]`',
      '\n\n',
      '【2†a】',
      '😀',
      '[^3] ',
    );
    const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    const urls = fc.constantFrom(WREN, OWL, `${WREN}?page=2`, 'data:text/html,x');
    const places = fc.record({ url: urls, startIndex: fc.integer({ min: -2, max: 80 }), endIndex: fc.integer({ min: -2, max: 90 }) });
    fc.assert(
      fc.property(texts, fc.array(places, { maxLength: 12 }), (text, annotations) => {
        const { markdown, citations } = citeSources(text, annotations, new Map([[2, { url: `${OWL}two` }]]));
        const indexes = new Set(citations.map(({ index }) => index));
        expect([...indexes].sort((a, b) => a - b)).toEqual(Array.from(indexes, (_, position) => position + 1));
        const placed = citations.filter(({ startIndex }) => startIndex !== null);
        for (const { index, startIndex, endIndex } of placed)
          expect(markdown.slice(startIndex ?? 0, endIndex ?? 0)).toContain(`[${index}]`);
        const prose = markdown.replace(/`[^`]*`/g, '');
        for (const [, number] of prose.matchAll(/(?<!\\)\[(\d+)\]/g)) expect(indexes).toContain(Number(number));
      }),
      { numRuns: 500 },
    );
  });
});

describe('hostile reports', () => {
  it.each([
    ['brackets', '['.repeat(500_000)],
    ['backticks', '`'.repeat(500_000)],
    ['runs of backticks', Array.from({ length: 900 }, (_, length) => `${'`'.repeat(length)} `).join('')],
    ['unfinished links', '[a](x'.repeat(100_000)],
    ['unfinished parentheses', `[a]${'(x'.repeat(250_000)}`],
    ['spaces', `[a](x${' '.repeat(500_000)}`],
    ['marks', '[1]'.repeat(150_000)],
    ['lenticular brackets', '【1'.repeat(200_000)],
    ['links with many parameters', `[1](https://a.example/?${Array.from({ length: 420 }, (_, at) => `utm_${at}`).join('&')}) `.repeat(150)],
  ])('full of %s take no time', (_, text) => {
    const annotations = Array.from({ length: 10_000 }, (__, at) => ({ url: `${OWL}${at}`, startIndex: at, endIndex: text.length - at }));
    const before = process.cpuUsage();
    expect(citeSources(text, annotations).citations.length).toBeLessThanOrEqual(2000);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(3000);
  });
});

it('pages that only parameters for tracking tell apart are one source, and others are not', () => {
  const text = 'Wren rotates daily. Wren keeps a week. Wren keeps a month.';
  const parts = ['Wren rotates daily.', 'Wren keeps a week.', 'Wren keeps a month.'];
  const cited = (...urls: string[]) =>
    citeSources(
      text,
      parts.map((part, at) => on(text, part, urls[at] ?? '')),
    ).citations.map(({ index }) => index);
  expect(cited(`${WREN}?a=1&b=+x`, `${WREN}?utm_a=1&a=1&UTM_B=2&b=+x&gclid=&utm_a=3`, `${WREN}?b=+x&a=1`)).toEqual([1, 1, 2]);
  expect(cited(`${WREN}?utm_source=one`, WREN, `${WREN}?fbclid`)).toEqual([1, 1, 1]);
});

it('pages that only a fragment tells apart are sources of their own, and places on one page are not', () => {
  const site = 'https://docs.example/';
  const text = 'Clients wait for ten seconds. Servers wait for a minute.';
  const cited = (...urls: [string, string]) =>
    citeSources(text, [on(text, 'Clients wait for ten seconds.', urls[0]), on(text, 'Servers wait for a minute.', urls[1])]).citations.map(
      ({ url }) => url,
    );
  for (const route of ['#/', '#!/']) {
    const pages: [string, string] = [`${site}${route}client/timeouts`, `${site}${route}server/timeouts`];
    expect(cited(...pages)).toEqual(pages);
  }
  expect(new Set(cited(`${site}guide#client`, `${site}guide#server`)).size).toBe(1);
});
