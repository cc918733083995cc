import type { Token } from '@lib/language/reading/token';
import type { Opening } from './opening';

const SINGULAR_VERBS = new Set('is was has does'.split(' '));
const PLURAL_VERBS = new Set('are were have do'.split(' '));
/** Words in "s" that stand for one thing. */
const SINGULAR_END = /(?:ss|us|is|ics|news|series|species)$/;
/** "They" may be one of these. */
const GROUPS = new Set(
  'band group team duo trio quartet couple family company club government committee council party squad crew firm board police staff'.split(
    ' ',
  ),
);
const BEFORE_ATTRIBUTE = new Set('of in for from with at on by to between against'.split(' '));

/** Whether "it" or "they" may stand for the subject of the sentence before: not for what only has the thing that is spoken of, or tells of it. */
export function isLikelyTopic({ named, kind, hasIndefiniteObject }: Opening): boolean {
  if (!named || (kind !== 'name' && /['’]s?\s/.test(named.text))) return false;
  const article = named.tokens[0]?.word.text;
  return !hasIndefiniteObject || (article !== 'a' && article !== 'an');
}

/** Whether the subject is one thing or several, as the pronoun is; what follows it tells best. */
export function fitsNumber({ named, verb, kind }: Opening, isPlural: boolean): boolean {
  if (!named) return false;
  const { tokens } = named;
  const head = headOf(tokens);
  if (isPlural && (GROUPS.has(head) || GROUPS.has(tokens.at(-1)?.word.text ?? ''))) return true;
  if (SINGULAR_VERBS.has(verb)) return !isPlural;
  if (tokens.some(({ word }) => word.text === 'and')) return isPlural;
  if (PLURAL_VERBS.has(verb)) return isPlural;
  const isInS = head.length > 3 && head.endsWith('s') && !SINGULAR_END.test(head);
  // Names without an article may end in "s" and be one, and a company is "they" too: "Quill Systems".
  return kind === 'name' || isInS === isPlural;
}

/** The noun before what belongs to it, lower-cased. */
function headOf(tokens: readonly Token[]): string {
  const end = tokens.findIndex(({ word }, at) => at > 0 && BEFORE_ATTRIBUTE.has(word.text));
  return (end < 0 ? tokens.at(-1) : tokens[end - 1])?.word.text ?? '';
}
