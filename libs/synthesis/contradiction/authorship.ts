import { align, sameName, saysTheSame, without } from './alignment';
import { sameDates } from './dates';
import type { NameRun, Reading, Wording } from './reading';

/** What has one doer, or a list of them: "written by", and the same in the active voice. Who co-founded something is one of several. */
const AUTHORED =
  'founded|established|discovered|invented|written|wrote|directed|designed|composed|painted|created|drew|drawn|sculpted|coined';
const IS_AUTHORED = new RegExp(String.raw`(?<![\w-])(?:${AUTHORED})\b`);
const BY = new RegExp(String.raw`(?<![\w-])(?:${AUTHORED})\s+by\s+$`, 'u');
const DOES = new RegExp(String.raw`^\s+(?:(?:first|also|later|originally)\s+)?(?:${AUTHORED})\s+(?!by\b)`, 'u');
/** "and", "," and what goes with a name in a list of names. */
const LISTED = /^\s*(?:,|and|,\s*and|&)\s*$/;

/** One work or finding, and no name in common among those who are said to have made it. */
export function differInAuthor(left: Reading, right: Reading): boolean {
  const [mine, yours] = [left.authors(), right.authors()];
  if (mine.length === 0 || yours.length === 0 || !sameDates(left.dates, right.dates)) return false;
  if (mine.some(({ parts }) => yours.some((other) => sharesPart(parts, other.parts)))) return false;
  const rest = align(without(left, mine), without(right, yours));
  return rest !== null && rest.shared >= 2 && saysTheSame(rest);
}

/** Who did it: the names after "by", or before the verb. */
export function authorsOf({ text, names }: Wording): NameRun[] {
  if (!IS_AUTHORED.test(text)) return [];
  const first = names.findIndex(({ words }) => BY.test(text.slice(0, words[0]?.start)) || DOES.test(text.slice(words.at(-1)?.end ?? 0)));
  if (first === -1) return [];
  const listed = [...names.slice(first, first + 1)];
  for (let position = first + 1; position < names.length; position += 1)
    if (joined(text, names, position)) listed.push(...names.slice(position, position + 1));
    else break;
  for (let position = first; position > 0 && joined(text, names, position); position -= 1)
    listed.push(...names.slice(position - 1, position));
  return listed;
}

function joined(text: string, names: readonly NameRun[], position: number): boolean {
  return LISTED.test(text.slice(names[position - 1]?.words.at(-1)?.end, names[position]?.words[0]?.start));
}

function sharesPart(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return sameName(one, other) || !one.isDisjointFrom(other) || isInitial(one, other) || isInitial(other, one);
}

/** A sentence can be cut after "by B." */
function isInitial(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].every((part) => part.length === 1 && [...other].some((full) => full.startsWith(part)));
}
