import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../package-folder';
import { ACCEPTED, type Accepted } from './accepted';
import type { Mutant } from './instrument';

/** The name of a prepared statement only lets PostgreSQL keep its plan; without it the result is the same. */
function isNameOfStatement({ file, line, original }: Mutant): boolean {
  const said = linesOf(file)
    .slice(line - 1, line + 1)
    .join(' ');
  return /^'[a-z_]+'$/.test(original) && said.includes(`name: ${original}, `) && /, +text: /.test(said);
}

const linesOf = (file: string): string[] => readFileSync(join(packageFolder(), file), 'utf8').split('\n');

/** Why no test has to notice the mutant; null if one should. */
export function reasonFor(mutant: Mutant): string | null {
  if (isNameOfStatement(mutant)) return 'the name of a prepared statement: without it the statement is planned each time';
  const { file, line, original, replacement } = mutant;
  const isThis = (entry: Accepted): boolean =>
    entry.file === file && entry.original === original && entry.replacement === replacement && isInLine(entry.inLine);
  const isInLine = (text = ''): boolean => text === '' || (linesOf(file)[line - 1] ?? '').includes(text);
  return ACCEPTED.find(isThis)?.reason ?? null;
}
