import fc from '../support/properties';
import { synthesize } from '@lib/synthesis/synthesize';
import type { Synthesis, SynthesisStep } from '@lib/synthesis/synthesis';
import { reported, sectionOf } from './steps';

const A = ['https://a.example/page'];
const B = ['https://b.example/page'];
/** Each report read once for all words takes half a second. */
const QUADRATIC_TAKES_MS = 10_000;

const of = (query: string, ...steps: SynthesisStep[]): Synthesis => synthesize({ query, mode: 'methodical', tier: 'M', steps });

describe('the topics to pursue next', () => {
  const timeout = [
    reported('provider-a', 'The default timeout of the server is 30 seconds [1].', A),
    reported('provider-b', 'The default timeout of the server is 90 seconds [1].', B),
  ];

  it('name no topic of a single word, which is mostly a name', () => {
    const topicsOf = (name: string): string[] => {
      const report = `Old ${name} has a tram [1]. Beer comes from ${name} [1]. Fairs of ${name} draw crowds [1].`;
      return of('Is it worth it?', reported('provider-a', report, A)).followOnTopics.map(({ topic }) => topic);
    };
    expect(topicsOf('Munich')).toEqual([]);
    expect(topicsOf('Munich harbour')).toEqual(['Munich harbour, as part of the question “Is it worth it?”']);
  });

  it('ask of the claims that contradict each other, and not of another one that the same sentence stands for', () => {
    const said = ['(born 3 May 1950) ', '(born 4 May 1950) ', ''].map((born) => `Anna Kelm ${born}was a Swedish painter [1].`);
    const providers = ['provider-a', 'provider-b', 'provider-b-lite'] as const;
    const { followOnTopics, claims } = of(
      'Who was Anna Kelm?',
      ...providers.map((provider, at) => reported(provider, said[at] ?? '', [`https://${provider}.example/1`])),
    );
    expect(claims[0]).toMatchObject({ claim: 'Anna Kelm was a Swedish painter.', contradicting: [] });
    expect(followOnTopics[0]).toMatchObject({
      rationale: expect.stringMatching(/^provider-[ab] for the one, provider-[ab] for the other\./) as string,
      claimIds: claims.slice(1).map(({ id }) => id),
    });
  });

  it('name no short form that a report explains', () => {
    const step = reported('provider-a', 'The Entry/Exit System (EES) stores fingerprints. The EES has run since October 2025 [1].', A);
    const topics = of('What is the EES and whom does it fingerprint?', step).followOnTopics.map(({ topic }) => topic.toLowerCase());
    expect(topics.filter((topic) => topic.startsWith('“ees”') || topic.includes('and “ees”'))).toEqual([]);
  });

  it('name a dispute with both sides and the claims that it comes from', () => {
    const { followOnTopics, claims } = of('What is the default timeout of the server?', ...timeout);
    expect(followOnTopics).toEqual([
      {
        topic: expect.stringMatching(
          /^Which holds: “The default timeout of the server is \d0 seconds\.” or “.*is \d0 seconds\.”\?$/,
        ) as string,
        rationale: 'provider-a for the one, provider-b for the other. They differ in the amount, and nothing in the reports settles it.',
        kind: 'dispute',
        claimIds: claims.map(({ id }) => id),
      },
    ]);
  });

  it.each(['How long is', 'How often is', 'How many seconds has', 'How much is', 'How high is', 'And how  frequently is'])(
    'do not name the measure that is asked for: %s the default timeout of the server?',
    (asked) => {
      const { followOnTopics } = of(`${asked} the default timeout of the server?`, ...timeout);
      expect(followOnTopics.filter(({ kind }) => kind === 'gap')).toEqual([]);
    },
  );

  it('name the words of the question that no claim mentions, but not what kind of answer it wants', () => {
    const { followOnTopics } = of('Please explain the default timeout of the server and its decorators', ...timeout);
    expect(followOnTopics.filter(({ kind }) => kind === 'gap')).toEqual([
      {
        topic: '“decorators”, as part of the question “Please explain the default timeout of the server and its decorators”',
        rationale: 'The question speaks of “decorators”, and no claim does.',
        kind: 'gap',
        claimIds: [],
      },
    ]);
  });

  it('name no contraction', () => {
    const { followOnTopics } = of("I'm here and they’ve decorators. What's the default timeout of the server?", ...timeout);
    expect(followOnTopics.flatMap(({ kind, topic }) => (kind === 'gap' ? [topic.slice(0, topic.indexOf(','))] : []))).toEqual([
      '“decorators”',
    ]);
  });

  const rivers = 'Aller Bode Ems Fulda Ilm Jagst Kinzig Lahn Naab Oder Peene Recknitz'.split(' ');
  const long = rivers.map((river, at) => `The ${river} rose by ${String(at + 2)} metres in spring [1].`).join(' ');

  it('name no common word that reports of many claims say in words of their own, and no word of a heading', () => {
    const gapsOf = (query: string, report: string): string[] =>
      of(query, reported('provider-a', report, A)).followOnTopics.flatMap(({ topic, rationale }) =>
        rationale.startsWith('The question speaks of') ? [topic.slice(0, topic.indexOf(','))] : [],
      );
    expect(gapsOf('How bad was the flooding of the rivers?', long)).toEqual([]);
    expect(gapsOf('How bad was the flooding of the rivers below Kelm in 2031?', long)).toEqual(['“kelm” and “2031”']);
    const short = 'The Aller rose by three metres [1].';
    expect(gapsOf('How bad was the flooding of the Aller?', short)).toEqual(['“bad” and “flooding”']);
    expect(gapsOf('How bad was the flooding of the Aller?', `# Bad flooding\n\n${short}`)).toEqual([]);
  });

  it('are found in time for a question of which a thousand words stand in long reports alone', () => {
    const words = Array.from({ length: 1_000 }, (_, at) => `w${String(at)}q`);
    const report = `${words.map((word) => `# ${word}`).join('\n\n')}\n\n${'The Aller rose by 3 metres in spring. '.repeat(50_000)}`;
    const started = performance.now();
    of(`${words.join(' ')}?`, reported('provider-a', report, A), reported('provider-b', report, A));
    expect(performance.now() - started).toBeLessThan(QUADRATIC_TAKES_MS);
  });

  it('name what no two providers say the same of, in words of the claims', () => {
    const { followOnTopics, claims } = of(
      'How does the server work?',
      reported(
        'provider-a',
        'The session cookie of the server is signed with a key of 32 bytes [1]. A session cookie expires after 14 days in the browser [1].',
        A,
      ),
    );
    expect(followOnTopics).toEqual([
      {
        topic: 'Session cookie, as part of the question “How does the server work?”',
        rationale: 'Only provider-a speaks of it, and no two were seen to say the same.',
        kind: 'gap',
        claimIds: claims.map(({ id }) => id),
      },
    ]);
  });

  it('do not name what is agreed', () => {
    const report =
      'The session cookie of the server is signed with a key of 32 bytes [1]. A session cookie expires after 14 days in the browser [1].';
    const { followOnTopics, markdown } = of(
      'How does the server work?',
      reported('provider-a', report, A),
      reported('provider-b', report, B),
    );
    expect(followOnTopics).toEqual([]);
    expect(markdown).not.toContain('Worth pursuing next');
  });

  it('do not name what others speak of on the same point', () => {
    const query = 'How does the server work?';
    const one = 'The session cookie of the server is signed with a key [1]. A session cookie expires in the browser after some days [1].';
    const other = 'A key signs every session cookie [1]. Browsers drop the session cookie after a few days [1].';
    const topicsOf = (...reports: string[]): string[] =>
      of(query, ...reports.map((report, at) => reported(at === 0 ? 'provider-a' : 'provider-b', report, A))).followOnTopics.map(
        ({ topic }) => topic,
      );
    expect(topicsOf(one)).toContainEqual(expect.stringMatching(/^Session cookie/));
    expect(topicsOf(one, other)).not.toContainEqual(expect.stringMatching(/^Session cookie/));
  });

  it('stand in the report with their reasons, without the question that they are a part of', () => {
    const query = 'What of <b>![x](https://evil.example/x.png)</b> and decorators [7]?\n# x';
    const { markdown, followOnTopics } = of(query, ...timeout);
    const section = sectionOf(markdown, 'Worth pursuing next');
    expect(section).toContain('Which holds:');
    expect(section).toContain('- “decorators” — The question speaks of');
    expect(section.split('\n').every((line) => line.startsWith('- '))).toBe(true);
    expect(markdown).not.toContain('evil.example');
    expect(followOnTopics.map(({ topic }) => topic)).toContainEqual(`“decorators”, as part of the question “${query}”`);
  });

  it('are first what may not fit together, and nothing that others tell with the same figures', () => {
    const of2 = (...reports: string[]): Synthesis =>
      of('What is known of the Kelm?', ...reports.map((report, at) => reported(at === 0 ? 'provider-a' : 'provider-b', report, A)));
    const { followOnTopics, claims } = of2('Old bridges carry 40 tons in winter [1].', 'In winter 60 tons cross old bridges [1].');
    expect(followOnTopics[0]).toMatchObject({ kind: 'gap', claimIds: claims.map(({ id }) => id) });
    expect(followOnTopics[0]?.topic).toMatch(/^Do both hold: “.*[46]0 tons.*” and “.*[46]0 tons.*”\?$/);
    expect(followOnTopics[0]?.rationale).toMatch(
      /^provider-[ab] for the one, provider-[ab] for the other\. They seem to speak of the same point, and may not fit together: figures differ\.$/,
    );
    const told = [
      'Old bridges carry 400 cars [1].',
      'Old bridges need 900 bolts [1].',
      'Cars on old bridges: 400 in all [1].',
      'Old bridges: 900 bolts each [1].',
    ];
    expect(
      of2(`${told[0] ?? ''} ${told[1] ?? ''}`, `${told[2] ?? ''} ${told[3] ?? ''}`).followOnTopics.map(({ topic }) => topic),
    ).not.toContainEqual(expect.stringMatching(/^Old bridges/));
  });

  it('can be pursued as they stand, name known claims, and are the same for the steps in any order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.string({ maxLength: 100 }), (query, report) => {
        const steps = [...timeout, reported('provider-c', `${report} [1]`, A)];
        const synthesis = of(query, ...steps);
        expect(of(query, ...steps.toReversed()).followOnTopics).toEqual(synthesis.followOnTopics);
        const known = synthesis.claims.map(({ id }) => id);
        for (const { topic, claimIds } of synthesis.followOnTopics) {
          expect(topic.trim()).not.toBe('');
          expect(topic.length).toBeLessThan(1_000);
          expect(topic.isWellFormed()).toBe(true);
          for (const id of claimIds) expect(known).toContain(id);
        }
      }),
    );
  });
});
