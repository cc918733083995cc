import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import { jobOf, stepIdOf } from '../disputes/two-reports';
import { packageFolder } from '../package-folder';
import type { Place } from './shown';

export const SETS = [
  'tuning',
  'tuning-2',
  'tuning-3',
  'tuning-4',
  'tuning-5',
  'held-out',
  'held-out-2',
  'tuning-records',
  'held-out-records',
] as const;
export const KINDS = ['agree', 'contradict', 'neither'] as const;
export const WORDINGS = ['near copy', 'same values', 'free'] as const;
/** Most sources that a report marks. */
const SOURCES = 20;

export interface Pair {
  a: string;
  b: string;
  kind: (typeof KINDS)[number];
  wording: (typeof WORDINGS)[number];
}

/** A question and what assistants answered. */
export interface Asked {
  query: string;
  reports: readonly string[];
}

export interface Case extends Asked {
  pairs: readonly Pair[];
}

export const casesIn = (set: (typeof SETS)[number]): Promise<Case[]> => linesOf<Case>(set);

/** The lines of a file of this folder. */
export async function linesOf<Line>(name: string): Promise<Line[]> {
  const file = await readFile(join(packageFolder(), `bench/assistants/${name}.jsonl`), 'utf8');
  return file.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Line]));
}

/** The job of budget M that asked. */
export const inputOf = ({ query, reports }: Asked): SynthesisInput => ({ ...jobOf([...reports], query, SOURCES), tier: 'M' });

/** Where a sentence first stands. */
export function placeOf(reports: readonly string[], sentence: string): Place {
  const [place] = placesOf(reports, sentence);
  if (!place) throw new Error(`Stands in no report: ${sentence}`);
  return place;
}

/** Once in each report. */
export const placesOf = (reports: readonly string[], sentence: string): Place[] =>
  reports.flatMap((text, report) => {
    const start = text.indexOf(sentence);
    return start < 0 ? [] : [{ stepId: stepIdOf(report), start, end: start + sentence.length }];
  });
