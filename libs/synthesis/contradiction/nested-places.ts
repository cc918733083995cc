import type { Reading } from '@lib/language/reading/reading';
import type { Statement } from '../statement/statement';

/**
 * Whether a report tells that one of two names lies in the other: "Woodland Hills, Los Angeles" makes one place of "born in Woodland Hills" and "born in Los
 * Angeles". Of a list ("Ulm, Graz and Kelm") the last name is not followed by a comma or an end.
 */
export function isOnePlace(left: Reading, right: Reading, statements: readonly Statement[]): boolean {
  const [mine, yours] = [namesIn(left), namesIn(right)];
  const pairs = mine
    .filter((name) => !yours.includes(name))
    .flatMap((own) => yours.filter((name) => !mine.includes(name)).flatMap((other) => [`${own}, ${other}`, `${other}, ${own}`]));
  if (pairs.length === 0) return false;
  return statements.some(({ reading: { text } }) => pairs.some((pair) => text.includes(pair) && endsAfter(text, pair)));
}

const namesIn = ({ text, names }: Reading): string[] =>
  names.map(({ tokens }) => text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0));

const endsAfter = (text: string, part: string): boolean => /^(?:[,.;]|\s*[[(]|$)/.test(text.slice(text.indexOf(part) + part.length));
