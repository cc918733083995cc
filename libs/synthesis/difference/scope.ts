import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { textAt, type Token } from '@lib/language/reading/token';
import { DOUBTING } from './restatement';
import { ORDINALS } from './superlatives';

const RANKS = ORDINALS.difference(new Set(['first', 'eleventh', 'twelfth', 'last']));
/** Before a fraction, these show that it is not a rank: "a third of them". */
const BEFORE_FRACTION = new Set('a one'.split(' '));

/** Words that tell how far a statement holds, or for which measure; a line for each meaning. */
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
/** The second statement may add these without weakening the first, but may not drop them. */
const ADDED_FREELY = new Set(['all', 'female', 'male', 'linked']);

/** A statement with one of these does not conflict with one without it. */
const TOLD_APART = new Set('possible alleged planned initial tried former conditional until female male young animal median'.split(' '));

/** Whether two statements, given by their tokens, are about the same time, group and measure, with the same certainty. */
export function areOfOneCase(one: readonly Token[], other: readonly Token[]): boolean {
  return scopesOf(one).symmetricDifference(scopesOf(other)).isDisjointFrom(TOLD_APART);
}

/** Whether a part of a sentence may put the rest in doubt or limit it: "in mice", "but only in a simulation", "it is claimed". */
export function mayReserve(tokens: readonly Token[]): boolean {
  if (!scopesOf(tokens).isDisjointFrom(RESERVED)) return true;
  return [...tokens.slice(0, 2), ...tokens.slice(-1)].some(({ word }) => SCOPES.get(word.text) === 'alone') || tokens.some(reserves);
}

const reserves = ({ word }: Token): boolean => DOUBTING.has(word.text) || RESERVING.has(word.text) || word.effect === 'attribution';
/** Scopes that one part of a sentence may impose on the rest. */
const RESERVED = TOLD_APART.difference(ADDED_FREELY);
const RESERVING = new Set('although though according whether whenever until'.split(' '));

/** Whether two statements, given by their tokens, hold to the same extent: for the same things, with the same certainty, and at the same time. */
export function holdEquallyFar(first: readonly Token[], second: readonly Token[]): boolean {
  const [mine, yours] = [scopesOf(first), scopesOf(second)];
  for (const scope of mine) if (!yours.has(scope)) return false;
  for (const scope of yours) if (!mine.has(scope) && !ADDED_FREELY.has(scope)) return false;
  return true;
}

/** "Is used to treat" is about the present, unlike "used to". */
const isFormOfBe = ({ word }: Token): boolean => FORMS_OF_BE.has(word.text);

function scopesOf(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ word, isCapitalised }, at) => {
      const next = tokens[at + 1]?.word;
      if (word.text === 'used' && next?.text === 'to') return tokens.slice(Math.max(0, at - 2), at).some(isFormOfBe) ? [] : 'former';
      if (word.text === 'going' && next?.text === 'to') return 'planned';
      if (word.text === 'until' && next?.hasDigit) return 'until';
      // "Some 4,000" means about 4,000, and "only 37" is a judgement.
      if ((word.text === 'some' || word.text === 'only') && next?.isAmount) return [];
      if (RANKS.has(word.text) && (next?.text === 'of' || BEFORE_FRACTION.has(textAt(tokens, at - 1)))) return [];
      return isCapitalised && at > 0 ? [] : (SCOPES.get(word.text) ?? []);
    }),
  );
}

function scopesIn(lines: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(lines).flatMap(([scope, words]) => words.split(/\s+/).map((word): [string, string] => [word, scope])));
}
