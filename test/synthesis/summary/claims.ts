import { claimSheet, type ClaimSheet } from '@lib/synthesis/summary/claim-sheet';
import { findingsOf, type Findings } from '@lib/synthesis/synthesize';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { reported } from '../steps';

export const QUESTION = 'How does Fastify handle errors?';

export const STEPS: SynthesisStep[] = [
  reported(
    'provider-a',
    'Errors of hooks go to the error handler [1]. The default timeout is 30 seconds [2]. Plugins inherit the handler of their parent [2].',
    ['https://a.example/page', 'https://c.example/x'],
  ),
  reported('provider-b', 'Errors of hooks go to the error handler [1]. The default timeout is 90 seconds [1].', ['https://b.example/page']),
];

/** The claims of some reports, and what a model may write about of them. */
export function claimsOf(steps: readonly SynthesisStep[] = STEPS): Findings & { sheet: ClaimSheet; idOf: (part: string) => string } {
  const findings = findingsOf({ query: QUESTION, mode: 'fast', tier: 'S', steps });
  const idOf = (part: string): string => {
    const claim = findings.claims.find(({ text }) => text.includes(part));
    if (!claim) throw new Error(`No claim says "${part}": there are ${findings.claims.map(({ text }) => text).join(' ')}`);
    return claim.id;
  };
  return { ...findings, sheet: claimSheet(findings), idOf };
}

/** An answer of one section in the form that is asked for. */
export const answerOf = (...sentences: { text: unknown; claims: unknown }[]): string => JSON.stringify({ sections: [{ sentences }] });
