import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageFolder } from '../package-folder';
import { WHOLE_SPEC } from './active';
import type { Mutant } from './instrument';
import type { Recorded } from './recording';

/** A spec counts as this many times quicker if it is likely to notice the mutant, because it is named after the file or imports it itself. */
const TWIN_ADVANTAGE = 4;
const IMPORT_ADVANTAGE = 4;
/**
 * Most specs that are run for a mutant. If the likeliest ones let it pass, few others notice it, and running all of a hundred specs takes an hour.
 * The limit can only make the score too low, never too high.
 */
const MAX_SPECS = 20;

/** The specs and tests that execute a mutant, in the order in which they are run: the quickest and likeliest to notice first. */
export function orderOf(
  { file, index }: Mutant,
  recorded: ReadonlyMap<string, Recorded>,
): { spec: string; tests: string[]; milliseconds: number }[] {
  const twin = `/${basename(file, '.ts')}.spec.ts`;
  const module = `${file.replace(/^libs\//, '').replace(/\.ts$/, '')}'`;
  const advantage = (spec: string): number =>
    (spec.endsWith(twin) ? TWIN_ADVANTAGE : 1) * (textOf(spec).includes(module) ? IMPORT_ADVANTAGE : 1);
  const passing = [...recorded].flatMap(([spec, { milliseconds, sound, passed }]) => {
    const named = passed[`${file}#${index}`] ?? [];
    const tests = sound.filter((test) => named.includes(test) || named.includes(WHOLE_SPEC));
    return tests.length === 0 ? [] : [{ spec, tests, milliseconds, cost: milliseconds / advantage(spec) }];
  });
  return passing.sort((one, other) => one.cost - other.cost).slice(0, MAX_SPECS);
}

const texts = new Map<string, string>();

function textOf(spec: string): string {
  const text = texts.get(spec) ?? readFileSync(join(packageFolder(), spec), 'utf8');
  texts.set(spec, text);
  return text;
}
