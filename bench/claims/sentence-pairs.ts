import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { compare } from '@lib/synthesis/comparison/comparison';
import { readTogether, statementsOf } from '@lib/synthesis/statement/read-report';
import { findContradictions } from '@lib/synthesis/contradiction/contradiction';
import type { ContradictionCue, ProviderId } from '@lib/domain/vocabulary';
import { packageFolder } from '../package-folder';

/** Two sentences and how they stand to each other, as a person sees it. `different-numbers` are merely different ones: both can hold. */
export interface SentencePair {
  label: 'contradicts' | 'agrees' | 'unrelated' | 'different-numbers';
  /** Of a contradiction. */
  cue?: ContradictionCue;
  left: string;
  right: string;
}

/** The pairs that this project wrote, in the order of the file. */
export function readSentencePairs(): SentencePair[] {
  const file = join(packageFolder(), 'bench', 'claims', 'sentence-pairs.jsonl');
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SentencePair);
}

/** Half of the pairs, by their hash, are there to tune the cues with; only the others are reported. */
export function isForTuning({ left, right }: SentencePair): boolean {
  return (createHash('sha256').update(`${left}\n${right}`).digest()[0] ?? 0) % 2 === 0;
}

/** The cue by which the synthesizer finds that one report contradicts another, each of them one sentence. */
export function cueFoundIn(left: string, right: string): ContradictionCue | null {
  const steps = [report('provider-a', left), report('provider-b', right)];
  const together = readTogether(steps, '');
  const statements = steps.flatMap((step) => statementsOf(step, together));
  return findContradictions(compare(statements))[0]?.cue ?? null;
}

function report(provider: ProviderId, reportMarkdown: string): SynthesisStep {
  return {
    stepId: provider,
    provider,
    status: 'completed',
    reportMarkdown,
    citations: [],
    errorMessage: null,
    failure: null,
    truncated: false,
  };
}
