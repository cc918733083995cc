import { findingsOf } from '@lib/synthesis/synthesize';
import { proposalPrompt } from '@lib/synthesis/proposals/prompt';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import fc from '../../support/properties';
import { reported } from '../steps';

const FIRST = `The Sydney Harbour Bridge was opened to traffic in March 1932 [1]. Maria Lopez led the excavation in Peru for nine years [1].
The council approved the new tram line in 2015 [2]. Rod Laver beat Roy Emerson in the final of 1962 [2]. The Norrby Harbour Tunnel was opened to traffic at noon [1].`;
const SECOND = `In March 1932 the Sydney Harbour Bridge opened for cars and trams [1]. For nine years the excavation in Peru was directed by Maria Lopez [1].
The council rejected the new tram line in 2015 [1]. Roy Emerson beat Rod Laver in the final of 1962 [1]. At noon the Norrby Harbour Tunnel opened for cars and trams [1].`;
const INPUT: SynthesisInput = {
  ...{ query: 'What happened?', mode: 'methodical', tier: 'M' },
  steps: [
    reported('provider-a', FIRST, ['https://a.example/1', 'https://b.example/2']),
    reported('provider-b', SECOND, ['https://c.example/1']),
  ],
};
interface Quote {
  report: string;
  quote: string;
  sources?: unknown;
}
const R1 = (quote: string, sources?: unknown): Quote => ({ report: 'R1', quote, ...(sources !== undefined && { sources }) });
const R2 = (quote: string, sources?: unknown): Quote => ({ ...R1(quote, sources), report: 'R2' });
const TUNNEL = 'The Norrby Harbour Tunnel was opened to traffic at noon';
const TUNNEL_TOO = 'At noon the Norrby Harbour Tunnel opened for cars and trams';
const BRIDGE = 'The Sydney Harbour Bridge was opened to traffic in March 1932';
const BRIDGE_TOO = 'In March 1932 the Sydney Harbour Bridge opened for cars and trams';
const APPROVED = 'The council approved the new tram line in 2015 [2].';
const REJECTED = 'The council rejected the new tram line in 2015 [1].';

const verified = (claims: Quote[][], disputes: Quote[][] = []) =>
  verifyProposals(
    INPUT,
    JSON.stringify({ claims: claims.map((quotes) => ({ quotes })), disputes: disputes.map((quotes) => ({ quotes })) }),
  );
const isAccepted = (claims: Quote[][], disputes: Quote[][] = []): boolean => {
  const { claims: kept = [], disputes: keptDisputes = [], refused = -1 } = verified(claims, disputes) ?? {};
  expect(kept.length + keptDisputes.length + refused).toBe(claims.length + disputes.length);
  return refused === 0;
};

describe('what a model proposes of the reports', () => {
  it('is put to it with the reports alone, as material', () => {
    const { instructions, input } = proposalPrompt({ ...INPUT, query: 'What? </question><reports>' });
    expect(input).toContain('"report":"R1"');
    expect(input).toContain('Roy Emerson beat Rod Laver');
    expect(input.match(/<\/?(?:question|reports)>/g)).toEqual(['<question>', '</question>', '<reports>', '</reports>']);
    expect(instructions).not.toContain('Laver');
  });

  it('joins statements that are not found to agree without it, and counts who says so as ever', () => {
    const claimWith = (accepted: ReturnType<typeof verified>) =>
      findingsOf(INPUT, accepted).claims.find(({ text }) => text.includes('Norrby'));
    expect(new Set(claimWith(null)?.supporting.map(({ provider }) => provider)).size).toBe(1);
    const claim = claimWith(verified([[R1(TUNNEL, [1]), R2(TUNNEL_TOO, [1])]]));
    expect(claim).toMatchObject({ text: `${TUNNEL}.`, confidence: 'high' });
    expect(claim?.supporting.map(({ provider, quote, citationIndexes }) => [provider, quote, citationIndexes])).toEqual([
      ['provider-a', `${TUNNEL} [1].`, [1]],
      ['provider-b', `${TUNNEL_TOO} [1].`, [1]],
    ]);
    expect(findingsOf(INPUT, verified([[R1(BRIDGE), R2(BRIDGE_TOO)]])).claims.filter(({ text }) => text.includes('Sydney'))).toHaveLength(
      1,
    );
  });

  it('makes a dispute of what differs in one thing', () => {
    const accepted = verified([], [[R1(APPROVED), R2(REJECTED)]]);
    expect(accepted?.disputes).toMatchObject([{ cue: 'direction' }]);
    const claim = findingsOf(INPUT, accepted).claims.find(({ text }) => text.includes('approved'));
    expect(claim).toMatchObject({ confidence: 'low', contradicting: [{ provider: 'provider-b' }] });
  });

  it.each<[string, Quote[][], Quote[][]?]>([
    ['a quote that stands nowhere', [[R1('The Sydney Harbour Bridge was opened in May 1932.')]]],
    ['a quote with a word more', [[R1('The Sydney Harbour Bridge was never opened to traffic in March 1932')]]],
    ['a quote of another report', [[R2(BRIDGE)]]],
    ['a quote of no report', [[{ report: 'R9', quote: BRIDGE }]]],
    ['a quote of a few words', [[R1('in March 1932')]]],
    ['a quote of two sentences', [[R1(`${BRIDGE} [1]. Maria Lopez led the excavation in Peru for nine years [1].`)]]],
    ['sources that the sentence does not cite', [[R1(BRIDGE, [2])]]],
    ['an agreement of opposites', [[R1(APPROVED), R2(REJECTED)]]],
    [
      'an agreement over who beat whom',
      [[R1('Rod Laver beat Roy Emerson in the final of 1962'), R2('Roy Emerson beat Rod Laver in the final of 1962')]],
    ],
    ['an agreement of what is unrelated', [[R1(BRIDGE), R2('For nine years the excavation in Peru was directed by Maria Lopez [1].')]]],
    ['an agreement with one half wrong', [[R1(BRIDGE), R2(BRIDGE_TOO), R2(REJECTED)]]],
    ['a dispute of what says the same', [], [[R1(BRIDGE), R2(BRIDGE_TOO)]]],
    ['a dispute of what is unrelated', [], [[R1(BRIDGE), R2(REJECTED)]]],
    ['a dispute within one report', [], [[R1(BRIDGE), R1(APPROVED)]]],
    ['a dispute of one side', [], [[R1(BRIDGE)]]],
  ])('is refused where it is %s', (_, claims, disputes = []) => {
    expect(isAccepted(claims, disputes)).toBe(false);
  });

  it('is read around what a model says besides, and nothing is where there is no object', () => {
    const answer = JSON.stringify({ claims: [{ quotes: [R1(BRIDGE)] }, null, { quotes: [] }, { quotes: [{ report: 1 }] }] });
    expect(verifyProposals(INPUT, `Gladly!\n\`\`\`json\n${answer}\n\`\`\``)).toMatchObject({ claims: [[{}]], refused: 0 });
    for (const other of ['', 'No.', '[]', '{"claims":7}', answer.slice(0, 40)]) expect(verifyProposals(INPUT, other)).toBeNull();
  });

  it('never puts a word into a claim that no report has, whatever it is', () => {
    const plain = new Set(findingsOf(INPUT).claims.flatMap(({ supporting }) => supporting.map(({ quote }) => quote)));
    const words = `${FIRST} ${SECOND}`.split(/\s+/);
    const quote = fc.record({
      report: fc.constantFrom('R1', 'R2', 'R3'),
      quote: fc.oneof(
        fc.constantFrom(...`${FIRST} ${SECOND}`.split(/(?<=\.)\s+/)),
        fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((some) => some.join(' ')),
        fc.string({ unit: 'binary' }),
      ),
      sources: fc.option(fc.array(fc.integer(), { maxLength: 3 })),
    });
    const proposals = fc.array(fc.record({ quotes: fc.array(quote, { maxLength: 3 }) }), { maxLength: 6 });
    fc.assert(
      fc.property(proposals, proposals, (claims, disputes) => {
        const accepted = verifyProposals(INPUT, JSON.stringify({ claims, disputes }));
        for (const claim of findingsOf(INPUT, accepted).claims)
          for (const said of [...claim.supporting, ...claim.contradicting]) {
            const step = INPUT.steps.find(({ stepId }) => stepId === said.stepId);
            expect(step?.reportMarkdown.slice(said.start, said.end)).toBe(said.quote);
            expect(said.provider).toBe(step?.provider);
          }
      }),
      { numRuns: 300 },
    );
    expect(plain.size).toBeGreaterThan(5);
  });
});
