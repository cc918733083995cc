import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import { jobOf } from '../disputes/two-reports';
import { packageFolder } from '../package-folder';

/** How two freely worded statements relate; the last two kinds only look like the first two. */
const KINDS = ['agree', 'dispute', 'near-agree', 'near-dispute'] as const;
type Kind = (typeof KINDS)[number];

interface FreePair {
  field: string;
  kind: Kind;
  left: string;
  right: string;
}

export type PairSet = 'tuning' | 'held-out';

/** For each kind of pair how many a program lets pass when a model proposes the two as one claim, and as a dispute. */
export async function freeWordingTable(name: PairSet, isListed: boolean): Promise<string> {
  const pairs = await pairsIn(name);
  const lines = KINDS.flatMap((kind) => {
    const some = pairs.filter((pair) => pair.kind === kind);
    const listed = isListed && name === 'tuning' ? some.map((pair) => `${marksOf(pair)} ${pair.left} // ${pair.right}`) : [];
    const accepted = (as: Proposal): string => String(some.filter((pair) => isAccepted(pair, as)).length);
    return [...listed, `| ${[kind, String(some.length), accepted('claims'), accepted('disputes')].join(' | ')} |`];
  });
  return [
    `${name} pairs\n`,
    '| pairs that | number | accepted as an agreement | accepted as a dispute |',
    '| --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

async function pairsIn(name: PairSet): Promise<FreePair[]> {
  const file = await readFile(join(packageFolder(), `bench/verifier/pairs/${name}.jsonl`), 'utf8');
  return file.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as FreePair]));
}

type Proposal = 'claims' | 'disputes';

/** Whether the proposal is accepted, made as by a model that gives the left statement as what both say. */
function isAccepted({ left, right }: FreePair, as: Proposal): boolean {
  const quotes = [
    { report: 'R1', quote: left },
    { report: 'R2', quote: right },
  ];
  return verifyProposals(jobOf([left, right]), JSON.stringify({ claims: [], disputes: [], [as]: [{ quotes }] }))?.refused === 0;
}

const marksOf = (pair: FreePair): string =>
  `${pair.kind} ${isAccepted(pair, 'claims') ? 'A' : '-'}${isAccepted(pair, 'disputes') ? 'D' : '-'}`;
