import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { endAfterFailure } from '../end-after-failure';
import { FREE_SETS, freeWordingTable } from './free-wording';
import { sideBySideTable } from './side-by-side';
import { isForTuning, readPairs, type Pair } from './pairs';
import { claimsOf, stepIdOf } from './two-reports';

/** What became of a pair in a job of two reports that differ in nothing but this sentence. */
interface Outcome {
  pair: Pair;
  /** A claim that both reports support by this sentence, or by a part of it; null if there is none. */
  merged: RecordedClaim | null;
  /** A claim that one supports and the other contradicts by this sentence. */
  disputed: RecordedClaim | null;
  /** A dispute over what stands word for word in both reports. */
  falselyDisputed: RecordedClaim | null;
}

async function main([folder, half = '', list = '']: string[]): Promise<void> {
  if (!folder) {
    const set = FREE_SETS.find((name) => name === half) ?? 'held-out';
    return console.log(`${await freeWordingTable(set)}\n\n${await sideBySideTable(set)}`);
  }
  const pairs = await readPairs(folder);
  console.log('| half | pairs | both sentences in one claim | of high confidence | disputes found | false disputes |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const [name, wanted] of [
    ['tuning', true],
    ['reporting', false],
  ] as const) {
    if (half !== '' && half !== name) continue;
    const outcomes = pairs.filter((pair) => isForTuning(pair) === wanted).map(outcomeOf);
    console.log(rowOf(name, outcomes));
    if (list) for (const outcome of outcomes) print(outcome);
  }
}

function outcomeOf(pair: Pair): Outcome {
  const report = (sentence: string): string => `${pair.context} ${sentence} [1]`;
  const begin = pair.context.length + 1;
  const claims = claimsOf([report(pair.claim), report(pair.refuted)]);
  const says = (claim: RecordedClaim, side: 'supporting' | 'contradicting', step: number): boolean =>
    claim[side].some(({ stepId, end }) => stepId === stepIdOf(step) && end > begin);
  const speaks = (claim: RecordedClaim, step: number): boolean => says(claim, 'supporting', step) || says(claim, 'contradicting', step);
  const isDispute = ({ contradicting }: RecordedClaim): boolean => contradicting.length > 0;
  return {
    pair,
    merged: claims.find((claim) => says(claim, 'supporting', 0) && says(claim, 'supporting', 1)) ?? null,
    disputed: claims.find((claim) => isDispute(claim) && speaks(claim, 0) && speaks(claim, 1)) ?? null,
    falselyDisputed: claims.find((claim) => isDispute(claim) && !(speaks(claim, 0) && speaks(claim, 1))) ?? null,
  };
}

function rowOf(name: string, outcomes: readonly Outcome[]): string {
  const share = (is: (outcome: Outcome) => unknown): string => `${((100 * outcomes.filter(is).length) / outcomes.length).toFixed(1)} %`;
  const isHigh = ({ merged }: Outcome): boolean => merged?.confidence === 'high';
  const cells = [share((o) => o.merged), share(isHigh), share((o) => o.disputed), share((o) => o.falselyDisputed)];
  return `| ${[name, String(outcomes.length), ...cells].join(' | ')} |`;
}

function print({ pair, merged, disputed, falselyDisputed }: Outcome): void {
  const outcome = merged ? 'MERGED' : disputed ? 'disputed' : 'apart';
  console.log(`\n${outcome} ${pair.id}\n  ${pair.claim}\n  ${pair.refuted}`);
  if (merged) console.log(`  => ${merged.claim} (${merged.confidence})`);
  if (falselyDisputed) console.log(`  FALSE: ${falselyDisputed.claim}`);
}

main(process.argv.slice(2)).catch(endAfterFailure);
