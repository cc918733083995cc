import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { synthesize } from '@lib/synthesis/synthesize';
import { readTopics } from '../claims/answers';
import { jobOf } from '../claims/job';
import { isForTuning, readPairs } from '../disputes/pairs';
import { claimsOf } from '../disputes/two-reports';
import { endAfterFailure } from '../end-after-failure';

/** A claim of two or more providers, and where it is from. */
interface Drawn {
  source: string;
  claim: RecordedClaim;
}

const REPORTS = 'bench/sentences/reports';
const USAGE = 'make bench-claims DATA=<folder with factscore and wikifactcheck> DRAW=<seed> [PART=1|2|3|4, which of our reports]';

/**
 * Draws 100 claims of two or more providers for somebody to read: 50 of biographies, 25 of our own reports, 25 of Wikipedia's sentences. Of
 * the data only the tuning half. The same seed draws the same, as far as the claims are the same.
 */
async function main([data, seed, part]: string[]): Promise<void> {
  if (!data || !seed || !part) throw new Error(USAGE);
  const topics = await readTopics(join(data, 'factscore'));
  const lives = topics
    .filter((_, place) => place % 2 === 0)
    .flatMap((topic) => shared(`life: ${topic.name}`, synthesize(jobOf(topic)).claims));
  const pairs = (await readPairs(join(data, 'wikifactcheck'))).filter(isForTuning);
  const pages = pairs.flatMap(({ id, context, claim, refuted }) =>
    shared(`page: ${id}`, claimsOf([`${context} ${claim} [1]`, `${context} ${refuted} [1]`])),
  );
  const own = await ownReports(part);
  for (const [all, most] of [
    [lives, 50],
    [own, 25],
    [pages, 25],
  ] as const) {
    console.log(`# ${String(all.length)} claims of two or more providers, of which ${String(most)} are drawn`);
    for (const one of drawn(all, most, seed)) print(one);
  }
}

async function ownReports(part: string): Promise<Drawn[]> {
  const files = (await readdir(REPORTS)).filter((file) => file.endsWith(`-${part}.txt`)).sort();
  const jobs = await Promise.all(files.map(async (file) => ({ file, text: await readFile(join(REPORTS, file), 'utf8') })));
  return jobs.flatMap(({ file, text }) => {
    const [question = '', ...reports] = text.split(/^=====\n/m);
    const answers = reports.map((output, place) => ({ system: `report${String(place + 1)}`, output, sentences: null }));
    return shared(file, synthesize(jobOf({ name: file, question: question.trim(), answers })).claims);
  });
}

function shared(source: string, claims: readonly RecordedClaim[]): Drawn[] {
  return claims
    .filter(({ supporting }) => new Set(supporting.map(({ provider }) => provider)).size > 1)
    .map((claim) => ({ source, claim }));
}

/** By a hash of what they say and of the seed. */
function drawn(all: readonly Drawn[], most: number, seed: string): Drawn[] {
  const placeOf = ({ source, claim }: Drawn): string => createHash('sha256').update(`${seed} ${source} ${claim.claim}`).digest('hex');
  return all.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).slice(0, most);
}

function print({ source, claim: { claim, confidence, supporting, contradicting } }: Drawn): void {
  console.log(`\n[${source}] ${confidence}: ${claim}`);
  for (const { quote } of supporting) console.log(`    + ${quote.replaceAll('\n', ' ')}`);
  for (const { quote } of contradicting) console.log(`    - ${quote.replaceAll('\n', ' ')}`);
}

main(process.argv.slice(2)).catch(endAfterFailure);
