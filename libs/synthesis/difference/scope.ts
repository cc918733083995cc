import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import type { Token } from '@lib/language/reading/token';
import { DOUBTING } from './restatement';
import { ORDINALS } from './superlatives';

const RANKS = ORDINALS.difference(new Set(['first', 'eleventh', 'twelfth', 'last']));
/** "A third of them" is no rank. */
const BEFORE_FRACTION = new Set('a one'.split(' '));

/** What words say of how far a statement holds, and of which of several measures it is true: a line for each thing that they say. */
const SCOPES: ReadonlyMap<string, string> = scopesIn({
  possible: `may might could possibly perhaps probably likely suggest suggests suggested thought believed seem seems seemed potential potentially preliminary`,
  alleged: `alleged allegedly allege alleges accuse accuses accused accusation suspect suspects suspected claim claims claimed reportedly supposedly
purported purportedly rumoured rumored legend legendary myth charged`,
  planned: `plan plans planned planning intend intends intended propose proposes proposed proposal will would shall expect expects expected aim aims
aimed target targets pledge pledges pledged promise promises promised vow vows vowed scheduled hope hopes hoped seek seeks sought
intention intentions talks negotiations negotiating considering consideration candidate candidates nominated nominee shortlisted draft budget
budgeted estimate estimated forecast projected`,
  initial: `initial initially original originally provisional`,
  tried: `prototype prototypes pilot experimental simulation simulations simulated beta`,
  recommended: `recommend recommends recommended recommendation recommendations encouraged`,
  alone: `only solely exclusively sole alone merely`,
  former: `former formerly previously erstwhile`,
  part: `some several many few majority half partly partially mostly certain`,
  nearly: `nearly almost virtually`,
  all: `all every each always entire entirely any`,
  conditional: `if unless provided`,
  linked: `associated association linked link links correlated correlation correlate correlates related unrelated`,
  female: `women woman female females girls girl`,
  male: `men man male males boys boy`,
  young: `children child kids infants infant babies baby newborns newborn adolescents teenagers paediatric pediatric minors`,
  animal: `mice mouse rats rat rodents animals animal monkeys dogs`,
  revenue: `revenue revenues sales turnover`,
  profit: `profit profits profitable earnings`,
  median: `median`,
  ...Object.fromEntries([...RANKS].map((rank) => [rank, rank])),
});
/** The second statement may add these without saying less than the first; it may not drop them. */
const ADDED_FREELY = new Set(['all', 'female', 'male', 'linked']);

/** A statement with one of these may hold beside one without it. */
const TOLD_APART = new Set('possible alleged planned initial tried former conditional until female male young animal median'.split(' '));

/** Whether two statements, given by their words, are of one time, one group and one measure, and told as surely. */
export function areOfOneCase(one: readonly Token[], other: readonly Token[]): boolean {
  return scopesOf(one).symmetricDifference(scopesOf(other)).isDisjointFrom(TOLD_APART);
}

/** Whether a part of a sentence may say that the rest is doubted or holds of less: "in mice", "but only in a simulation", "it is claimed". */
export function mayReserve(tokens: readonly Token[]): boolean {
  if (!scopesOf(tokens).isDisjointFrom(RESERVED)) return true;
  return [...tokens.slice(0, 2), ...tokens.slice(-1)].some(({ word }) => SCOPES.get(word.text) === 'alone') || tokens.some(reserves);
}

const reserves = ({ word }: Token): boolean => DOUBTING.has(word.text) || RESERVING.has(word.text) || word.role === 'attribution';
/** Scopes that a part of a sentence may put on the rest. */
const RESERVED = TOLD_APART.difference(ADDED_FREELY);
const RESERVING = new Set('although though according whether whenever until'.split(' '));

/** Whether two statements, given by their words, hold equally far: of the same, as surely, and at the same time. */
export function holdEquallyFar(first: readonly Token[], second: readonly Token[]): boolean {
  const [mine, yours] = [scopesOf(first), scopesOf(second)];
  for (const scope of mine) if (!yours.has(scope)) return false;
  for (const scope of yours) if (!mine.has(scope) && !ADDED_FREELY.has(scope)) return false;
  return true;
}

/** "Is used to treat" is so still. */
const isFormOfBe = ({ word }: Token): boolean => FORMS_OF_BE.has(word.text);

function scopesOf(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ word, isCapitalised }, at) => {
      const next = tokens[at + 1]?.word;
      if (word.text === 'used' && next?.text === 'to') return tokens.slice(Math.max(0, at - 2), at).some(isFormOfBe) ? [] : 'former';
      if (word.text === 'going' && next?.text === 'to') return 'planned';
      if (word.text === 'until' && next?.hasDigit) return 'until';
      // "Some 4,000" are about as many, and "only 37" is a judgement.
      if ((word.text === 'some' || word.text === 'only') && next?.isAmount) return [];
      if (RANKS.has(word.text) && (next?.text === 'of' || BEFORE_FRACTION.has(tokens[at - 1]?.word.text ?? ''))) return [];
      return isCapitalised && at > 0 ? [] : (SCOPES.get(word.text) ?? []);
    }),
  );
}

function scopesIn(lines: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(lines).flatMap(([scope, words]) => words.split(/\s+/).map((word): [string, string] => [word, scope])));
}
