import { FINITE_FORMS_OF_BE, FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { COMMA, DASH, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { isContentWord, isNameWord, isPastVerb, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt, isPassive } from '@lib/language/reading/verbs';
import { doerOf } from '../difference/content-words';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';
import { isVerbAt, MARKING_PARTICIPANTS, MUTUAL, objectAfter } from './sides-of-verb';

/** What a word is in its clause: subject, object, or a preposition, "than" or the second "as" of a comparison, wherever its phrase stands. */
type Role = string;
const SUBJECT = 'subject';
const OBJECT = 'object';

/** These give their phrase a role. The mutual ones do not: "Ada worked with Karl" holds the other way round. */
const GIVING_ROLES = MARKING_PARTICIPANTS.difference(MUTUAL).union(
  new Set('without unlike behind above below beyond than compared per'.split(' ')),
);
/** Before a preposition these say the same of either side: "Kelm is related to Ulm", "close to". */
const ALIKE_FOR_BOTH = new Set(
  `related linked connected joined married engaged tied allied twinned compared similar close adjacent next equal identical different distant far parallel near
opposite equivalent comparable attached`.split(/\s+/),
);

/** By the word's stem, or for words joined by a hyphen by their text: "non-smokers". */
type Roles = ReadonlyMap<string, Role>;

/**
 * Whether two words have exchanged their roles, in whatever order the phrases stand: "Ada defeated Bea" and "In 2022, Ada was defeated by Bea", "Kelm
 * is deeper than Ulm" and "Ulm is deeper than Kelm", "According to Kent, Berg leaked it" and "According to Berg, Kent leaked it".
 */
export function exchangesRoles(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const others = rolesIn(theirs);
  const moved = [...rolesIn(mine)].filter(([word, role]) => (others.get(word) ?? role) !== role);
  return moved.some(([one, role]) => moved.some(([other, own]) => others.get(one) === own && others.get(other) === role));
}

/** Kept, because a statement is compared with many others. */
const known = new WeakMap<readonly Token[], Roles>();

function rolesIn(tokens: readonly Token[]): Roles {
  let roles = known.get(tokens);
  if (!roles) known.set(tokens, (roles = readRoles(tokens)));
  return roles;
}

/** The roles of the words that stand in a statement once. Where its verb only identifies ("the author was Ada"), neither side is the subject. */
function readRoles(tokens: readonly Token[]): Roles {
  const doer = doerOf(tokens);
  const verb = tokens.findIndex(
    (token, at) => FINITE_FORMS_OF_BE.has(token.word.text) || isFiniteVerbAt(tokens, at) || isVerbAt(tokens, at),
  );
  const identifies = !doer && FORMS_OF_BE.has(textAt(tokens, verb)) && !isPastVerb(tokens[verb + 1]);
  const roles = new Map<string, Role>();
  const repeated = new Set<string>();
  let role: Role = SUBJECT;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const { text } = token.word;
    if (at === verb) role = OBJECT;
    else if (token.before & (COMMA | SEMICOLON)) role = verb < 0 || at < verb ? SUBJECT : OBJECT;
    if (GIVING_ROLES.has(text)) role = roleAfter(tokens, at);
    else if (MUTUAL.has(text)) role = tokens[at - 1]?.word.text === 'compared' ? 'than' : '';
    if (!isContentWord(token) || at === verb || role === '') continue;
    const [word, isInside] = compoundAt(tokens, at);
    if (isInside) continue;
    if (roles.has(word)) repeated.add(word);
    roles.set(word, doer ? inActive(role, at, doer) : identifies && role === OBJECT ? SUBJECT : role);
  }
  for (const word of repeated) roles.delete(word);
  return roles;
}

/** The role that a preposition gives; none if the word before it says the same of either side. */
function roleAfter(tokens: readonly Token[], at: number): Role {
  const text = textAt(tokens, at);
  if (text === 'than' || text === 'as') return text;
  return tokens.slice(Math.max(0, at - 2), at).some(({ word }) => ALIKE_FOR_BOTH.has(word.text)) ? '' : text;
}

/** In a passive with its agent, the agent is the subject and the subject the object. */
function inActive(role: Role, at: number, { copula, by, end }: { copula: number; by: number; end: number }): Role {
  if (at > by && at < end) return SUBJECT;
  return role === SUBJECT && at < copula ? OBJECT : role;
}

/** A word with those that a hyphen joins to it, and whether it is not the first of them. */
function compoundAt(tokens: readonly Token[], at: number): [string, boolean] {
  let end = at;
  while (isJoined(tokens[end + 1])) end += 1;
  const words = tokens.slice(at, end + 1).map(({ word }) => (end === at ? word.stem : word.text));
  return [words.join('-'), isJoined(tokens[at])];
}

const isJoined = (token: Token | undefined): boolean => token !== undefined && (token.before & DASH) !== 0 && (token.before & SPACE) === 0;

/**
 * Whether words that go together in pairs are paired otherwise: "Kelm had 300 employees and Ulm had 500" and "Ulm had 300 employees and Kelm had 500",
 * "Lind and Reuter won gold and silver, respectively" and "Reuter and Lind won gold and silver, respectively".
 */
export function pairsOtherwise(mine: readonly Token[], theirs: readonly Token[]): boolean {
  if (![mine, theirs].every((tokens) => tokens.some(({ word }) => word.text === 'and'))) return false;
  const own = sharedOnce(mine, theirs);
  const isInPairs = [mine, theirs].some((tokens) => tokens.some(({ word }) => word.text === 'respectively'));
  for (const [first, a] of own.entries())
    for (const b of own.slice(first + 1)) {
      if (b.there > a.there || a.kind !== b.kind) continue;
      // These two changed places. Two others that stand as before, one with each of them, are paired otherwise now.
      const kept = own.filter(({ kind, here }) => here !== a.here && here !== b.here && (isInPairs || kind !== a.kind));
      for (const [place, x] of kept.entries())
        for (const y of kept.slice(place + 1))
          if (x.kind === y.kind && x.there < y.there && (isInPairs ? areApart(a, b, x, y) : areInterleaved(a, b, x, y))) return true;
    }
  return false;
}

interface Shared {
  here: number;
  there: number;
  kind: 'amount' | 'name' | 'word';
}

/** The content words and amounts that each statement has once, in the order of the first. */
function sharedOnce(mine: readonly Token[], theirs: readonly Token[]): Shared[] {
  const counts = [mine, theirs].map((tokens) => Map.groupBy(tokens.keys(), (at) => tokens[at]?.word.stem ?? ''));
  return mine.flatMap((token, here): Shared[] => {
    if (!isContentWord(token) && !token.word.isAmount) return [];
    const [own, others] = counts.map((places) => places.get(token.word.stem) ?? []);
    const there = others?.[0];
    return own?.length === 1 && others?.length === 1 && there !== undefined ? [{ here, there, kind: kindOf(token) }] : [];
  });
}

const kindOf = ({ word, isCapitalised }: Token): Shared['kind'] => (word.isAmount ? 'amount' : isCapitalised ? 'name' : 'word');

const areInterleaved = (a: Shared, b: Shared, x: Shared, y: Shared): boolean =>
  a.here < x.here && x.here < b.here && b.here < y.here && b.there < x.there && x.there < a.there && a.there < y.there;

const areApart = (a: Shared, b: Shared, x: Shared, y: Shared): boolean =>
  Math.max(a.here, b.here) < Math.min(x.here, y.here) && Math.max(a.there, b.there) < Math.min(x.there, y.there);

/** Whether a figure belongs to another name: "Kelm had 300 employees" is not said by "Ulm had 300 employees and Kelm had 500". */
export function isFigureOfOther(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const others = figuresIn(theirs);
  if (others.length < 2) return false;
  return figuresIn(mine).some(({ figure, owner }) => {
    const owners = others.filter((other) => areAlike(other.figure, figure)).map((other) => other.owner);
    if (owners.length === 0 || owners.some((other) => areAlike(other, owner))) return false;
    return others.some((other) => areAlike(other.owner, owner) && !areAlike(other.figure, figure));
  });
}

/** Each amount behind the verb of a name, with the name's last word. Years are left out. */
function figuresIn(tokens: readonly Token[]): { figure: Token; owner: Token }[] {
  let owner: Token | undefined;
  return tokens.flatMap((token, at) => {
    if (isFiniteVerbAt(tokens, at) || isVerbAt(tokens, at)) owner = tokens[at - 1];
    return token.word.isAmount && owner && isNameWord(owner) && !YEAR.test(token.word.text) ? [{ figure: token, owner }] : [];
  });
}
const YEAR = /^(?:1\d|20)\d\d$/;

/**
 * Whether the subject does in `theirs` what is done to it in `mine`: "Ulm were beaten" is not said by "Ulm beat Kelm". But who "is married" has married.
 */
export const isDoneNotSuffered = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    if (
      !isPastVerb(verb) ||
      ALIKE_FOR_BOTH.has(verb.word.text) ||
      !FORMS_OF_BE.has(textAt(mine, at - 1)) ||
      mine[at + 1]?.word.text === 'by'
    )
      return false;
    const subject = mine.slice(0, at).filter(isContentWord);
    const places = placesOf(verb, theirs);
    return places.length > 0 && places.every((place) => isDoneBy(subject, theirs, place));
  });

/** Whether the verb at `place` follows the subject and has another object. */
function isDoneBy(subject: readonly Token[], tokens: readonly Token[], place: number): boolean {
  const { preposition, words } = objectAfter(tokens, place);
  if (isPassive(tokens, place) || preposition !== null || words.length === 0 || isAmong(words[0], subject)) return false;
  return (
    tokens[place]?.before === SPACE &&
    isAmong(
      tokens.findLast((token, at) => at < place && isContentWord(token)),
      subject,
    )
  );
}
