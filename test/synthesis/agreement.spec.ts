import type { Confidence } from '@lib/domain/vocabulary';
import { citation, expectVerbatim, reported, synthesisOf } from './steps';

const A = 'https://a.example/page';
const B = 'https://b.example/page';

/** Confidence, supporting and contradicting providers of every claim. */
function outcome(first: string, second: string, urls: [string[], string[]] = [[A], [B]]): [Confidence, string[], string[]][] {
  const steps = [reported('provider-a', first, urls[0]), reported('provider-b', second, urls[1])];
  const synthesis = synthesisOf(...steps);
  expectVerbatim(synthesis, steps);
  return synthesis.claims.map(({ confidence, supporting, contradicting }) => [
    confidence,
    supporting.map(({ provider }) => provider),
    contradicting.map(({ provider }) => provider),
  ]);
}

describe('agreement', () => {
  it.each([
    ['the same sentence', 'Fastify validates every request body with Ajv [1].', 'Fastify validates every request body with Ajv [1].'],
    [
      'other order and forms',
      'Request bodies are validated by Fastify with Ajv schemas [1].',
      'Fastify validates the body of each request with schemas of Ajv [1].',
    ],
    [
      'one sentence inside the other',
      'The dam was completed in 1936 on the Colorado River [1].',
      'After five years of work, the dam was completed in 1936 on the Colorado River, to great acclaim [1].',
    ],
    [
      'the same number in other words',
      'The archive of Ulm holds three million printed books [1].',
      'The archive of Ulm holds 3,000,000 printed books [1].',
    ],
  ])('joins %s', (_name, first, second) => {
    expect(outcome(first, second)[0]).toEqual(['high', ['provider-a', 'provider-b'], []]);
  });

  it.each([
    [
      'and something in between besides',
      'The Kelm Bridge was opened by Ada Weil in a ceremony in Arnhem on 4 May 1936 [1].',
      'The Kelm Bridge was opened in Arnhem on 4 May 1936 after long delays [1].',
      'The Kelm Bridge was opened in Arnhem on 4 May 1936.',
    ],
    [
      'what kind of it',
      'Ada Weil was an acclaimed engineer of railway bridges at the works of Arnhem [1].',
      'Ada Weil was a engineer of railway bridges at the works of Arnhem for thirty years [1].',
      'Ada Weil was an engineer of railway bridges at the works of Arnhem.',
    ],
    [
      'another profession besides, and another name',
      'Ada Weil, born Ada Kelm, is a Dutch painter, sculptor and engineer [1].',
      'Ada Weil, whose brother founded the works, is a Dutch painter, writer and engineer [1].',
      'Ada Weil is a Dutch painter and engineer.',
    ],
  ])('states what both say where one says %s', (_name, first, second, common) => {
    const steps = [reported('provider-a', first, [A]), reported('provider-b', second, [B])];
    const synthesis = synthesisOf(...steps);
    expectVerbatim(synthesis, steps);
    const agreed = synthesis.claims.filter(({ confidence }) => confidence === 'high').map(({ claim }) => claim);
    expect(agreed).toEqual([common]);
  });

  it.each([
    [
      'under what it holds',
      'The valve opens, unless it is locked, at ten bar of pressure [1].',
      'The valve opens at ten bar of pressure in summer [1].',
    ],
    [
      'by whom, and the other names somebody else',
      'The Kelm Bridge was designed by Ada Weil in Arnhem [1].',
      'The Kelm Bridge was designed by Otto Brandt in Arnhem [1].',
    ],
  ])('leaves nothing out that says %s', (_name, first, second) => {
    expect(outcome(first, second).every(([, supporting]) => supporting.length === 1)).toBe(true);
  });

  it.each([
    [
      'in full',
      'Ada Maria Weil opened the bridge of Kelm in 1936 [1].',
      'Ada Weil opened the bridge of Kelm in 1936, which carries a railway [1].',
    ],
    [
      'with its accents',
      'José Martínez opened the bridge of Kelm in 1936 [1].',
      'Jose Martinez opened the bridge of Kelm in 1936 with a speech [1].',
    ],
  ])('joins what is said of one whom one report names %s', (_name, first, second) => {
    expect(outcome(first, second)[0]).toEqual(['high', ['provider-a', 'provider-b'], []]);
  });

  it('compares statements by what others say too, however many words of its own one has', () => {
    const short = 'The Kelm dam opened in 1936 [1].';
    const rare =
      'granite, gravel, turbines, sluices, spillways, penstocks, galleries, railings, lanterns, mosaics, fountains, orchards, meadows';
    expect(outcome(short, `The Kelm dam opened in 1936 with ${rare} and footpaths [1].`)[0]).toEqual([
      'high',
      ['provider-a', 'provider-b'],
      [],
    ]);
  });

  it('tells what somebody is known for apart from what she is', () => {
    const first = 'Ada Kelm is an Austrian painter and engraver best known for the bridge of Tann [1].';
    const second = 'Ada Kelm, an engraver of Graz, is best known for the bridge of Tann and for her books [1].';
    const [claim] = synthesisOf(reported('provider-a', first, [A]), reported('provider-b', second, [B])).claims;
    expect(claim?.claim).toBe('Ada Kelm is best known for the bridge of Tann.');
    expect(claim?.supporting.map(({ quote }) => first.includes(quote) || second.includes(quote))).toEqual([true, true]);
  });

  it('states no more than all providers say', () => {
    const short = 'The dam was completed in 1936 on the Colorado River [1].';
    const long = 'After five years of work, the dam was completed in 1936 on the Colorado River, to great acclaim [1].';
    const [claim] = synthesisOf(reported('provider-a', long, [A]), reported('provider-b', short, [B])).claims;
    expect(claim?.claim).toBe('The dam was completed in 1936 on the Colorado River.');
  });

  it.each([
    [
      'trades',
      'Ada Kelm was an Austrian painter, sculptor, engraver, and poet [1].',
      'Ada Kelm was an Austrian painter, engraver, and printer [1].',
      'Ada Kelm was an Austrian painter and engraver.',
    ],
    [
      'names',
      'The server Kelmo supports modern protocols such as QUIC, MQTT and AMQP [1].',
      'The server Kelmo supports protocols such as MQTT, Gopher and QUIC since 2021 [1].',
      'The server Kelmo supports protocols such as MQTT and QUIC.',
    ],
    [
      'titles, one list with years and without an "and"',
      'Ada Kelm is known for novels such as Hunt for the Crane (2001), Willow (2004), Kelmo (2007), Salt (2010) [1].',
      'Ada Kelm is known for several novels, including "Kelmo," "Hunt for the Crane," and "Rye" [1].',
      'Ada Kelm is known for novels such as Hunt for the Crane and Kelmo.',
    ],
    [
      'names that one report describes',
      'Ada Kelm played in bands such as the folk group Weirling, Tann and most recently Rohr [1].',
      'Ada Kelm played in several bands, including Rohr, Weirling and Brod [1].',
      'Ada Kelm played in bands such as Weirling and Rohr.',
    ],
    [
      'what is listed after a synonym',
      'Ada Kelm has appeared in several films, including "Salt and Rye", "Weirling" and "Tann" [1].',
      'Ada Kelm has starred in various films including Weirling (1999), Brod (2001) and Salt and Rye (2003) [1].',
      'Ada Kelm has appeared in several films, including "Salt and Rye" and "Weirling".',
    ],
    [
      'names, of which two are a part of another one',
      'Ada Kelm is known for novels such as Secret, Harvest and Rye [1].',
      'Ada Kelm is known for novels such as Secret Love, Late Harvest, Rye and Salt [1].',
      'Ada Kelm is known for novels such as Rye.',
    ],
    [
      'trades, of which one goes on with what she is known for',
      'Ada Kelm is an Austrian actress, dancer, and painter best known for her work in Ulm [1].',
      'Ada Kelm is an Austrian actress, painter and dancer who was praised in Graz [1].',
      'Ada Kelm is an Austrian actress, dancer, and painter.',
    ],
  ])('states of two lists what both have: %s', (_name, first, second, common) => {
    const steps = [reported('provider-a', first, [A]), reported('provider-b', second, [B])];
    const synthesis = synthesisOf(...steps);
    expectVerbatim(synthesis, steps);
    expect(synthesis.claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim)).toEqual([common]);
  });

  it.each([
    ['counted', 'The firm Kelm runs three plants, Weil, Brod and Tann [1].', 'The firm Kelm runs three plants, Weil, Brod and Rohr [1].'],
    [
      'mixed',
      'The alloy Kelmite is a mixture of copper, zinc and tin [1].',
      'The alloy Kelmite is a mixture of copper, zinc and lead [1].',
    ],
    [
      'excluded',
      'The treaty of Kelm does not cover coal, steel and gas [1].',
      'The treaty of Kelm does not cover coal, steel and oil [1].',
    ],
    [
      'the noun of the last',
      'Ada Kelm is the current Austrian, Danish and world rowing champion [1].',
      'Ada Kelm is the former Austrian, Danish and German chess coach [1].',
    ],
    [
      'of something else',
      'The firm Kelm sells pumps, valves and filters [1].',
      'The firm Kelm stopped selling pumps, valves and pipes [1].',
    ],
    [
      'a sequel',
      'Ada Kelm played in films such as Weirling (1996), Brod (1997) and Tann (2014) [1].',
      'Ada Kelm played in films such as Weirling 2 (2016), Brod 3 (2017) and Tann 2 (2024) [1].',
    ],
    [
      'cut in a title',
      'Ada Kelm played in the films “Lock, Stock and Two Barrels” and “Go” [1].',
      'Ada Kelm played in the films “Lock, Stock and Two Barrels”, “Up” and “Snatch” [1].',
    ],
    [
      'the first of its kind',
      'Ada Kelm is the oldest pilot known for flights over the Weil [1].',
      'Ada Kelm is the oldest pilot known for letters from Tann [1].',
    ],
  ])('makes no shorter list of what is %s', (_name, first, second) => {
    expect(outcome(first, second).filter(([, supporting]) => supporting.length > 1)).toEqual([]);
  });

  it.each([
    ['another number', 'The bridge is carried by 12 large towers of steel [1].', 'The bridge is carried by 14 large towers of steel [1].'],
    [
      'another year',
      'The bridge over the river was opened in 1932 by the king [1].',
      'The bridge over the river was opened in 1937 by the king [1].',
    ],
    [
      'another version',
      'Support for async hooks was added in version 3.2.1 of the server [1].',
      'Support for async hooks was added in version 3.4.0 of the server [1].',
    ],
    [
      'a negation',
      'The server does retry requests that have failed upstream [1].',
      'The server does not retry requests that have failed upstream [1].',
    ],
    [
      'the other direction',
      'The new index increases the size of the stored data [1].',
      'The new index decreases the size of the stored data [1].',
    ],
    [
      'another name',
      'By default the framework asks Pino to log every request of a client [1].',
      'By default the framework asks Winston to log every request of a client [1].',
    ],
    [
      'another subject',
      'Pino is what logs every request of a client to the default file of the framework [1].',
      'Winston is what logs every request of a client to the default file of the framework [1].',
    ],
  ])('never joins a sentence with %s', (_name, first, second) => {
    for (const [, supporting] of outcome(first, second)) expect(supporting).toHaveLength(1);
  });
});

describe('contradiction', () => {
  it.each([
    [
      'negation',
      'The server retries requests that failed upstream by default [1].',
      'The server never retries requests that failed upstream by default [1].',
    ],
    [
      'negation',
      'The parser supports comments inside of a JSON document [1].',
      "The parser doesn't support comments inside of a JSON document [1].",
    ],
    [
      'quantity',
      'The default request timeout of the server is 30 seconds [1].',
      'The default request timeout of the server is 90 seconds [1].',
    ],
    [
      'quantity',
      'In 2019 the valley had $4 million of exports to its neighbours [1].',
      'In 2019 the valley had $9 million of exports to its neighbours [1].',
    ],
    ['direction', 'The plugin is enabled for every route of the server [1].', 'The plugin is disabled for every route of the server [1].'],
  ])('is found by %s', (_cue, first, second) => {
    expect(outcome(first, second)).toEqual([
      ['low', ['provider-a'], ['provider-b']],
      ['low', ['provider-b'], ['provider-a']],
    ]);
  });

  it.each([
    [
      'other years',
      'In 1950 the harbour moved 400 tonnes of grain each day [1].',
      'In 1980 the harbour moved 900 tonnes of grain each day [1].',
    ],
    [
      'a rounding',
      'The distance by rail is 402 kilometres in all weathers [1].',
      'The distance by rail is 400 kilometres in all weathers [1].',
    ],
    ['other units', 'The file holds at most 30 pages of dense text [1].', 'The file holds at most 90 lines of dense text [1].'],
    [
      'other subjects',
      'The server retries requests that failed upstream by default [1].',
      'The client never caches pages that came from a proxy by default [1].',
    ],
    ['another name', 'The city of Basel has 200 bridges over its rivers [1].', 'The city of Berne has 900 bridges over its rivers [1].'],
    ['two negations', 'The cache never fails to return the newest value [1].', 'The cache returns the newest value to all callers [1].'],
    ['"not only"', 'The tool formats not only code but whole documents [1].', 'The tool formats code and whole documents for people [1].'],
    ['silence', 'The server retries requests that failed upstream [1].', 'The harbour was built of granite by monks [1].'],
  ])('is not seen in %s', (_name, first, second) => {
    for (const [, , contradicting] of outcome(first, second)) expect(contradicting).toEqual([]);
  });

  it('is not seen between two sentences of one provider', () => {
    const step = reported(
      'provider-a',
      'The limit of the queue is 30 messages per client [1]. The limit of the queue is 90 messages per client [1].',
      [A],
    );
    for (const { contradicting } of synthesisOf(step).claims) expect(contradicting).toEqual([]);
  });

  it('of one provider counts against all who agree', () => {
    const yes = 'The default timeout of the server is 30 seconds [1].';
    const steps = [
      reported('provider-a', yes, [A]),
      reported('provider-b', yes, [B]),
      reported('provider-e', 'The default timeout of the server is 60 seconds [1].', ['https://e.example']),
    ];
    const [claim] = synthesisOf(...steps).claims;
    expect(claim).toMatchObject({
      confidence: 'low',
      supporting: [{ provider: 'provider-a' }, { provider: 'provider-b' }],
      contradicting: [{ provider: 'provider-e' }],
    });
  });
});

describe('confidence', () => {
  const sentence = 'Fastify validates every request body with Ajv';
  const of = (first: [string, string[]], second: [string, string[]] | null): Confidence | undefined => {
    const steps = [reported('provider-a', ...first), ...(second ? [reported('provider-b', ...second)] : [])];
    return synthesisOf(...steps).claims[0]?.confidence;
  };

  const reworded = 'Every request body is validated by Fastify with Ajv';

  it.each<[Confidence, string, [string, string[]], [string, string[]] | null]>([
    ['high', 'two providers with a source each', [`${sentence} [1].`, [A]], [`${sentence} [1].`, [B]]],
    ['high', 'two local documents', [`${sentence} [1].`, ['corpus:/a.md#L1']], [`${sentence} [1].`, ['corpus:/b.md#L1']]],
    ['high', 'a source and the word of another provider', [`${sentence} [1].`, [A]], [`${reworded}.`, []]],
    ['medium', 'two providers with the same page', [`${sentence} [1].`, [A]], [`${reworded} [1].`, [`${A}/?utm_source=x#top`]]],
    ['medium', 'two providers with pages of one site', [`${sentence} [1].`, [A]], [`${reworded} [1].`, ['https://www.a.example/other']]],
    ['medium', 'two places of one local document', [`${sentence} [1].`, ['corpus:/a.md#L1-L4']], [`${reworded} [1].`, ['corpus:/a.md#L9']]],
    ['medium', 'one provider with two sites', [`${sentence} [1][2].`, [A, B]], null],
    ['low', 'the word of two providers', [`${sentence}.`, []], [`${reworded}.`, []]],
    ['low', 'one provider with two pages of one site', [`${sentence} [1][2].`, [A, 'https://a.example/other']], null],
    ['low', 'one provider with one source', [`${sentence} [1].`, [A]], null],
    ['low', 'the word of one provider', [`${sentence}.`, []], null],
    ['low', 'the sentence of another provider with its source', [`${sentence} [1].`, [A]], [`${sentence} [1].`, [A]]],
    ['low', 'the sentence of another provider without a source', [`${sentence} [1].`, [A]], [`${sentence}.`, [B]]],
    ['low', 'one sentence of two providers that cite nothing for it', [`${sentence}.`, [A]], [`${sentence}.`, [B]]],
  ])('is %s for %s', (expected, _name, first, second) => {
    expect(of(first, second)).toBe(expected);
  });

  it.each<[Confidence, string, string, string]>([
    ['high', 'of two sites', 'docs.wren.example', 'other.example'],
    ['medium', 'of one site', 'docs.wren.example', 'docs.wren.example'],
  ])('is %s for two providers with pages %s behind redirects of one host', (expected, _name, ...domains) => {
    const steps = [reported('provider-a', `${sentence} [1].`, [A]), reported('provider-b', `${reworded} [1].`, [A])].map((step, place) => {
      const redirect = `https://redirect.example/${String(place)}`;
      return { ...step, citations: [citation(1, redirect, { domain: domains[place] ?? null })] };
    });
    expect(synthesisOf(...steps).claims[0]?.confidence).toBe(expected);
  });

  it.each<[Confidence, string, string, string[]]>([
    ['low', 'names nothing', 'Ada Kelm has won enduring praise for her work.', []],
    ['medium', 'names a number', 'Ada Kelm has won three awards for her work.', []],
    ['low', 'names something besides its subject', 'Ada Kelm has won several Hugo awards for her work.', []],
    ['medium', 'names nothing but has a source', 'Ada Kelm has won enduring praise for her work [1].', [A]],
  ])('is %s for what two providers say if it %s', (expected, _name, said, urls) => {
    const other = said.replace('Ada Kelm has won', 'For her work, Ada Kelm has won').replace(' for her work', '');
    expect(synthesisOf(reported('provider-a', said, urls), reported('provider-b', other, urls)).claims[0]?.confidence).toBe(expected);
  });

  it.each<[Confidence, string]>([
    ['medium', 'Ada Kelm is currently the mayor of Brod [1].'],
    ['medium', 'Ada Kelm is the current mayor of Brod [1].'],
    ['high', 'Ada Kelm is the mayor of Brod [1].'],
    ['high', 'Ada Kelm is currently, in 2020, the mayor of Brod [1].'],
  ])('is %s for two sources that say: %s', (expected, said) => {
    expect(synthesisOf(reported('provider-a', said, [A]), reported('provider-b', said, [B])).claims[0]?.confidence).toBe(expected);
  });

  it.each<[Confidence, string, string]>([
    ['high', 'several sources, for half of its sentences', 'The plugin of Wren costs 12 euros [1][2].'],
    ['low', 'several for less than half', 'The plugin of Wren costs 12 euros [1][2]. The harbour of Brod was closed by its owners.'],
    ['low', 'one alone', 'The plugin of Wren costs 12 euros [1].'],
  ])('is %s for the word of two providers if the report of one names %s', (expected, _name, rest) => {
    const steps = [reported('provider-a', `${sentence}. ${rest}`, [A, B]), reported('provider-b', `${reworded}.`, [])];
    const agreed = synthesisOf(...steps).claims.find(({ supporting }) => supporting.length === 2);
    expect(agreed?.confidence).toBe(expected);
  });

  it('is high for the word of three providers', () => {
    const steps = [
      reported('provider-a', `${sentence}.`, []),
      reported('provider-b', `${reworded}.`, []),
      reported('provider-e', 'With Ajv, Fastify validates the body of every request.', []),
    ];
    expect(synthesisOf(...steps).claims[0]?.confidence).toBe('high');
  });

  it('does not grow when a provider repeats itself, in one report or in several steps', () => {
    const once = synthesisOf(reported('provider-a', `${sentence} [1].`, [A]));
    const twice = synthesisOf(reported('provider-a', `${sentence} [1].\n\n${sentence} [1].\n\n- ${sentence} [1].`, [A]));
    expect(twice.claims).toEqual(once.claims);
    const inTwoSteps = synthesisOf(
      reported('provider-a', `${sentence} [1].`, [A], 'stp_1'),
      reported('provider-a', `${sentence} [1].`, [A], 'stp_2'),
    );
    expect(inTwoSteps.claims.map(({ confidence }) => confidence)).toEqual(['low']);
  });
});
