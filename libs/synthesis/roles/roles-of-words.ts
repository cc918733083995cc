import { FINITE_FORMS_OF_BE, FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { COMMA, DASH, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { isContentWord, isPastVerb, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { doerOf } from '../difference/content-words';
import { isVerbAt, MARKING_PARTICIPANTS, MUTUAL } from './verb-and-object';

/** What a word is in its clause: subject, object, or a preposition, "than" or the second "as" of a comparison, wherever its phrase stands. */
type Role = string;
const SUBJECT = 'subject';
const OBJECT = 'object';

/** These give their phrase a role. The mutual ones do not: "Ada worked with Karl" holds the other way round. */
const GIVING_ROLES = MARKING_PARTICIPANTS.difference(MUTUAL).union(
  new Set('without unlike behind above below beyond than compared per'.split(' ')),
);

/** Before a preposition these say the same of either side: "Kelm is related to Ulm", "close to". */
export const ALIKE_FOR_BOTH = new Set(
  `related linked connected joined married engaged tied allied twinned compared similar close adjacent next equal identical different distant far parallel near
opposite equivalent comparable attached`.split(/\s+/),
);

/** By the word's stem, or for words joined by a hyphen by their text: "non-smokers". */
type Roles = ReadonlyMap<string, Role>;

/**
 * Whether two words have exchanged their roles, in whatever order the phrases stand and whatever the verb is: "Ada defeated Bea" and "In 2022, Ada was
 * defeated by Bea", "Kelm is deeper than Ulm" and "Ulm is deeper than Kelm", "According to Kent, Berg leaked it" and "According to Berg, Kent leaked it".
 */
export function exchangesRolesOfWords(mine: readonly Token[], theirs: readonly Token[]): boolean {
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
