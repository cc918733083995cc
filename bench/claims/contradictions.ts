import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTRADICTION_CUES, type ContradictionCue, type ProviderId } from '@lib/domain/vocabulary';
import { compare } from '@lib/synthesis/comparison/comparison';
import { readTogether, statementsOf } from '@lib/synthesis/statement/read-report';
import { findContradictions } from '@lib/synthesis/contradiction/contradiction';
import { endAfterFailure } from '../end-after-failure';
import { packageFolder } from '../package-folder';
import { readTopics } from './answers';
import { jobOf } from './job';
import { cueFoundIn, isForTuning, readSentencePairs, type SentencePair } from './sentence-pairs';

interface Judged extends SentencePair {
  found: ContradictionCue | null;
}

/**
 * Measures the contradiction cues on the labelled sentence pairs, and prints the figures and what went wrong as Markdown; with a folder of
 * answers in the format of FActScore it prints the contradictions found there instead, for a person to judge.
 */
async function main([folder]: string[]): Promise<void> {
  if (folder) return printFoundIn(folder);
  const judged = readSentencePairs().map(judge);
  const isTuned = (pair: Judged): boolean => isForTuning(pair);
  printPart('the half that the cues were tuned on', judged.filter(isTuned));
  printPart(
    'the other half',
    judged.filter((pair) => !isTuned(pair)),
  );
  printPart('held out', readHeldOutPairs().map(judge));
}

/** Held-out pairs: except for three, their writer knew neither the detector nor the other pairs. Nothing may be tuned on these. */
function readHeldOutPairs(): SentencePair[] {
  const file = join(packageFolder(), 'bench', 'claims', 'held-out-pairs.jsonl');
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SentencePair);
}

function judge(pair: SentencePair): Judged {
  return { ...pair, found: cueFoundIn(pair.left, pair.right) };
}

function printPart(name: string, pairs: readonly Judged[]): void {
  console.log(`## Contradictions, ${name}: ${String(pairs.length)} pairs\n`);
  console.log('| cue | contradicting pairs | found | false | precision | recall |\n| --- | --- | --- | --- | --- | --- |');
  for (const cue of CONTRADICTION_CUES) {
    const found = pairs.filter((pair) => pair.found === cue);
    const right = found.filter((pair) => pair.cue === cue).length;
    const expected = pairs.filter((pair) => pair.cue === cue);
    const recalled = expected.filter((pair) => pair.found !== null).length;
    const cells = [cue, expected.length, found.length, found.length - right, share(right, found.length), share(recalled, expected.length)];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const wrong = pairs.filter((pair) => pair.found !== null && pair.found !== pair.cue);
  const missed = pairs.filter((pair) => pair.found === null && pair.cue !== undefined);
  printPairs('Found wrongly', wrong);
  printPairs('Missed', missed);
}

function printPairs(title: string, pairs: readonly Judged[]): void {
  console.log(`\n${title}: ${String(pairs.length)}\n`);
  for (const { label, cue, found, left, right } of pairs)
    console.log(`- ${cue ?? label}${found ? `, found as ${found}` : ''}: “${left}” / “${right}”`);
  console.log();
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

async function printFoundIn(folder: string): Promise<void> {
  const topics = await readTopics(folder);
  const systems = new Map<ProviderId, string>();
  const counts = new Map<ContradictionCue, number>();
  for (const topic of topics) {
    const { query, steps } = jobOf(topic);
    for (const { provider, stepId } of steps) systems.set(provider, stepId);
    const together = readTogether(steps, query);
    for (const { left, right, cue } of findContradictions(compare(steps.flatMap((step) => statementsOf(step, together))))) {
      counts.set(cue, (counts.get(cue) ?? 0) + 1);
      console.log(`- ${topic.name}, ${cue}:`);
      for (const { provider, text } of [left, right]) console.log(`  - ${systems.get(provider) ?? provider}: ${text}`);
    }
  }
  console.log(`\n${[...counts].map(([cue, count]) => `${cue} ${String(count)}`).join(', ')}, in ${String(topics.length)} topics`);
}

main(process.argv.slice(2)).catch(endAfterFailure);
