import fc from '../support/properties';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { CONFIDENCES, PROVIDERS } from '@lib/domain/vocabulary';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { synthesize, SYNTHESIZER_VERSION } from '@lib/synthesis/synthesize';
import { citation, expectVerbatim, failed, marksOf, reported, synthesisOf } from './steps';

const SENTENCES = [
  'The error handler receives every error of a hook',
  'The error handler never receives an error of a hook',
  'The default timeout of the server is 30 seconds',
  'The default timeout of the server is 90 seconds',
  'Plugins inherit the error handler of their parent',
  'In 2019 the project moved to the OpenJS Foundation',
  'It is fast',
];
const DECORATIONS = ['', ' [1]', ' [2][1]', '[^2]', ' ([x](https://b.example/2))', ' <b>x</b>', ' | y', '\n> ', ' 😀', ' שלום', '\r\n'];

const anySentence = fc.tuple(
  fc.constantFrom(...SENTENCES),
  fc.constantFrom(...DECORATIONS),
  fc.constantFrom('. ', '.\n\n- ', '.\n\n', '?\n', '\n# '),
);
const anyReport = fc.array(anySentence, { maxLength: 12 }).map((parts) => parts.map((part) => part.join('')).join(''));
const anyStep = fc.record({ report: fc.oneof(anyReport, fc.string({ unit: 'grapheme' })), ok: fc.boolean(), cited: fc.boolean() });
const anySteps = fc.array(anyStep, { maxLength: PROVIDERS.length }).map((steps) =>
  steps.map(({ report, ok, cited }, position): SynthesisStep => {
    const provider = PROVIDERS[position] ?? 'provider-a';
    return ok ? reported(provider, report, cited ? ['https://a.example/1', 'https://b.example/2'] : []) : failed(provider, report);
  }),
);

/** Two claims may put the same into other words of the same reports. */
const sharesEvidence = (one: RecordedClaim, other: RecordedClaim): boolean =>
  one.supporting.some(({ stepId, start }) => other.supporting.some((evidence) => evidence.stepId === stepId && evidence.start === start));

describe('synthesize', () => {
  it('gives the same bytes for the same steps in any order', () => {
    fc.assert(
      fc.property(
        anySteps.chain((steps) => fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length }))),
        ([steps, shuffled]) => {
          expect(JSON.stringify(synthesisOf(...shuffled))).toBe(JSON.stringify(synthesisOf(...steps)));
        },
      ),
    );
  });

  it('quotes verbatim, resolves every mark and lists only returned sources, for any reports', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const synthesis = synthesisOf(...steps);
        expectVerbatim(synthesis, steps);
        const { used, listed } = marksOf(synthesis.markdown);
        expect([...new Set(used)].sort((a, b) => a - b)).toEqual(listed);
        for (const { supporting, contradicting } of synthesis.claims) {
          expect(supporting.length).toBeGreaterThan(0);
          const own = new Set(supporting.map(({ provider }) => provider));
          for (const { provider } of contradicting) expect(own.has(provider)).toBe(false);
        }
      }),
    );
  });

  it('takes no claim from a failed step, which changes none, whatever it says', () => {
    fc.assert(
      fc.property(anySteps, fc.string(), fc.constantFrom('failed' as const, 'skipped' as const), (steps, message, status) => {
        const { claims, followOnTopics } = synthesisOf(...steps);
        const more = synthesisOf(...steps, {
          ...failed('provider-e', message, status),
          stepId: 'stp_late',
          reportMarkdown: SENTENCES.join('. '),
        });
        expect(more.claims).toEqual(claims);
        expect(more.followOnTopics).toEqual(followOnTopics);
      }),
    );
  });

  it('makes the same claims with a failed step more', () => {
    fc.assert(
      fc.property(anySteps, fc.string(), (steps, message) => {
        const more = [...steps, { ...failed('provider-a', message), stepId: 'stp_more' }];
        expect(synthesisOf(...more).claims).toEqual(synthesisOf(...steps).claims);
      }),
    );
  });

  it('makes the same claims when a report says everything twice', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const twice = steps.map((step) => ({ ...step, reportMarkdown: `${step.reportMarkdown}\n\n${step.reportMarkdown}` }));
        fc.pre(steps.every(({ reportMarkdown }) => /^[A-Z][^\n`|>]*$/.test(reportMarkdown)));
        expect(synthesisOf(...twice).claims).toEqual(synthesisOf(...steps).claims);
      }),
    );
  });

  it('trusts no claim more because a provider repeats the report and the sources of another', () => {
    fc.assert(
      fc.property(anySteps, fc.nat(), (steps, choice) => {
        const original = steps.filter(({ status }) => status === 'completed').at(choice % Math.max(1, steps.length));
        const provider = PROVIDERS.find((candidate) => !steps.some((step) => step.provider === candidate));
        fc.pre(original !== undefined && provider !== undefined);
        if (!original || !provider) return;
        const before = synthesisOf(...steps).claims;
        for (const claim of synthesisOf(...steps, { ...original, provider, stepId: 'stp_copy' }).claims) {
          const same = before.filter((other) => sharesEvidence(claim, other)).map(({ confidence }) => CONFIDENCES.indexOf(confidence));
          expect(CONFIDENCES.indexOf(claim.confidence)).toBeGreaterThanOrEqual(Math.min(CONFIDENCES.indexOf('low'), ...same));
        }
      }),
    );
  });

  it('leaves its input as it was and names its version', () => {
    const steps = [reported('provider-b', 'Errors go to the error handler [1].', ['https://b.example']), reported('provider-a', 'x', [])];
    const before = structuredClone(steps);
    expect(synthesize({ query: '', mode: 'fast', tier: 'XXS', steps }).synthesizer).toBe(SYNTHESIZER_VERSION);
    expect(steps).toEqual(before);
  });

  it('states what answers the question before what does not', () => {
    const step = reported(
      'provider-a',
      'The harbour of the town moves grain to the coast [1]. Fastify handles errors in a handler of its own [1].',
      ['https://a.example'],
    );
    expect(synthesisOf(step).claims[0]?.claim).toBe('Fastify handles errors in a handler of its own.');
  });

  it('reads claims in other scripts', () => {
    const cjk = '东京是日本的首都，人口超过一千四百万人，是世界上最大的城市之一[1]。';
    const arabic = 'القاهرة هي عاصمة جمهورية مصر العربية وأكبر مدنها من حيث عدد السكان [1].';
    const synthesis = synthesisOf(
      reported('provider-a', `${cjk}\n\n${arabic}`, ['https://a.example']),
      reported('provider-b', `${cjk}\n\n${arabic}`, ['https://b.example']),
    );
    expect(synthesis.claims.map(({ confidence }) => confidence)).toEqual(['high', 'high']);
  });

  it.each([
    'Fastify 是一个用于 Node.js 的高性能网络框架[1]。',
    'يستخدم Fastify محلل JSON سريعا لكل طلب يصل إليه [1].',
    'Fastify は JSON Schema で応答を検証する[1]。',
  ])('reads claims in other scripts that name things in Latin letters: %s', (sentence) => {
    expect(synthesisOf(reported('provider-a', sentence, ['https://a.example'])).claims).toHaveLength(1);
  });
});

describe('hostile reports are read in seconds', () => {
  const vocabulary = Array.from({ length: 3000 }, (_, index) => `w${index.toString(36)}rd`);
  const word = (index: number): string => vocabulary[(index * 7919) % vocabulary.length] ?? '';
  const prose = (seed: number): string =>
    Array.from(
      { length: 1200 },
      (_, line) =>
        `The ${Array.from({ length: 12 }, (_, at) => word(seed + line * 13 + at)).join(' ')} handles ${String(line % 50)} errors [1].`,
    ).join(' ');

  it.each<[string, (seed: number) => string]>([
    ['prose', prose],
    ['the same sentence over and over', () => 'The server handles every error of a hook [1]. '.repeat(2200)],
    [
      'sentences that differ in a number',
      (seed) => Array.from({ length: 2000 }, (_, line) => `The server handles ${String(seed + line)} errors of a hook [1].`).join(' '),
    ],
    ['one sentence without an end', () => 'the server handles errors and '.repeat(3400)],
    ['nested markup', () => '> - *a **b [c]( '.repeat(6000)],
    ['open marks', () => '[1'.repeat(50_000)],
    ['marks', () => '[1]'.repeat(33_000)],
    ['backticks', () => '`a '.repeat(33_000)],
    ['tags', () => '<a <b '.repeat(16_000)],
    ['table rows', () => `| a | b |\n| - | - |\n${'| the server handles errors | 30 [1] |\n'.repeat(2600)}`],
  ])('eight of 100 KB of %s', (_name, report) => {
    const steps = PROVIDERS.map((provider, seed) => reported(provider, report(seed * 101), [`https://${provider}.example/`]));
    expectVerbatim(synthesisOf(...steps), steps);
  });

  it('with 10,000 citations that all span the whole report', () => {
    const markdown = prose(1);
    const citations = Array.from({ length: 10_000 }, (_, index) =>
      citation(index + 1, `https://s${String(index)}.example/`, { startIndex: 0, endIndex: markdown.length }),
    );
    const steps = [{ ...reported('provider-a', markdown, []), citations }];
    const synthesis = synthesisOf(...steps);
    expect(synthesis.markdown.length).toBeLessThan(50_000);
    for (const { supporting } of synthesis.claims) expect(supporting[0]?.citationIndexes.length).toBeLessThanOrEqual(20);
  });
});
