import { APOSTROPHE, COMMA, SPACE } from '@lib/language/reading/characters';
import { verbOfDoer } from '@lib/language/reading/derivations';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isIdle } from './idle';
import { withRelations } from './items';
import { DEFINITE, verbsIn, type Side, type Verb } from './verb-sides';

/** A word that bears on what is said, and how. */
export interface Told {
  token: Token;
  at: number;
  side: Side;
  /** The preposition that it stands under, apart from "of". */
  relation: string;
  /** Place of the noun that it belongs to, by "of" or as its possessor: -1 for none. */
  of: number;
}

/** The words of a sentence that bear on what is said, with what each of them is there. Made only for those that mean something: "the" is none. */
export function toldIn(reading: Reading): Told[] {
  const { tokens } = reading;
  const verbs = verbsIn(tokens);
  const owners = ownersIn(reading);
  const told: Told[] = [];
  for (const { at, relation } of relationsIn(tokens)) {
    const token = tokens[at];
    if (!token || (isIdle(token.word) && !token.isCapitalised)) continue;
    const of = owners.get(at) ?? (relation === 'of' ? headBefore(tokens, at) : -1);
    told.push({
      token,
      at,
      side: sideAt(tokens, verbs, at, relation, of),
      relation: relation === 'of' || relation === 'as' ? '' : relation,
      of,
    });
  }
  return told;
}

/** Behind a year a new noun stands under no preposition: "In 2008 the act was …". */
function relationsIn(tokens: readonly Token[]): { at: number; relation: string }[] {
  const year = tokens.findIndex(({ word }) => word.hasDigit);
  const next = tokens[year + 1];
  const isIntroduced = year > 0 && year <= LATEST_YEAR && next !== undefined && (DEFINITE.has(next.word.text) || next.isCapitalised);
  if (!isIntroduced) return withRelations(tokens, 0, tokens.length);
  return [...withRelations(tokens, 0, year + 1), ...withRelations(tokens, year + 1, tokens.length)];
}

const LATEST_YEAR = 3;

function sideAt(tokens: readonly Token[], verbs: readonly Verb[], at: number, relation: string, of: number): Side {
  if (of >= 0) return verbOfDoer(tokens[of]?.word.stem ?? '') === undefined ? '' : 'undergoer';
  const last = verbs.findLast((verb) => verb.at < at);
  if (relation === 'by' || (relation === 'to' && last?.isLoss === true)) return 'doer';
  if (relation === 'as') return 'complement';
  if (relation !== '' || verbs.some((verb) => verb.at === at)) return '';
  if (isApposition(tokens, at)) return '';
  if (last) return tokens.slice(last.at + 1, at + 1).some(({ before }) => before & COMMA) ? '' : last.after;
  return verbs[0]?.before ?? '';
}

/** "Ada, a pilot, …": what is set off before the verb. */
function isApposition(tokens: readonly Token[], at: number): boolean {
  const from = tokens.findLastIndex(({ before }, place) => place <= at && (before & COMMA) !== 0);
  return from > 0 && /^(?:an?|the)$/.test(tokens[from]?.word.text ?? '');
}

/** "A total of", "the city of": what follows is meant itself. */
const LIGHT_HEADS = new Set(
  'total number amount majority city town village state country island kingdom republic lake title post position office role year month age'.split(
    ' ',
  ),
);

/** The noun before "of". */
function headBefore(tokens: readonly Token[], at: number): number {
  const of = tokens.findLastIndex(({ word }, place) => place < at && word.text === 'of');
  return of < 1 || LIGHT_HEADS.has(tokens[of - 1]?.word.text ?? '') ? -1 : of - 1;
}

/** For each possessor the place of the noun that is said to be its own: "Kelm's first mayor". */
function ownersIn({ text, tokens }: Reading): ReadonlyMap<number, number> {
  const owners = new Map<number, number>();
  for (let at = 0; at < tokens.length - 1; at += 1) {
    const token = tokens[at];
    if (!token || !isPossessor(text, token)) continue;
    let head = at + 1;
    while (goesOn(tokens, head + 1)) head += 1;
    for (let place = at; place >= 0 && (place === at || goesOnName(tokens, place + 1)); place -= 1) owners.set(place, head);
  }
  return owners;
}

const isPossessor = (text: string, { start, end, after }: Token): boolean =>
  /['’]s$/.test(text.slice(start, end)) || ((after & APOSTROPHE) !== 0 && /s$/.test(text.slice(start, end)));

function goesOn(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!token || !before || token.before !== SPACE || token.word.isStopWord || isFiniteVerbAt(tokens, at)) return false;
  return token.isCapitalised === before.isCapitalised || !token.isCapitalised;
}

/** The word and the one before it are parts of one name. */
const goesOnName = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.before === SPACE &&
  tokens[at].isCapitalised &&
  tokens[at - 1]?.isCapitalised === true &&
  tokens[at - 1]?.word.isStopWord === false;
