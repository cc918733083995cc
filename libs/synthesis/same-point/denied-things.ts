import { stemsOf } from '@lib/language/reading/lexicon';
import { IDLE_AFTER_NOT, isAgainstDoing, isNegationAt } from '@lib/language/reading/polarity';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isContentWord, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { areOfOtherYears, clausesOf } from './clauses';
import { denies } from '../difference/denials';
import { isAmong } from '../alignment/same-word';

/** Behind "not" and "no" they deny nothing. */
const IDLE_AFTER_DENIAL = IDLE_AFTER_NOT.union(new Set('doubt more less fewer later'.split(' ')));
/** "No plans for a buyback" denies a buyback, "no sign of harm" harm. */
const HEADS = new Set('plan plans sign signs evidence indication reason reasons intention proof attempt attempts'.split(' '));
/** Each may stand for another: "never put a warning on it" denies a warning that another "gave" or "added". */
const GIVING = stemsOf('put add give issue attach place');
/** "Consent is not needed" denies what stands before it. */
const NEEDED = new Set('needed required necessary mandatory compulsory obligatory'.split(' '));
const NEEDING = new Set('need needs must require requires asks calls demands obliged'.split(' '));
/** In "played no part", "made no use" and "no longer" they name nothing. */
const NAMING_NOTHING = new Set('part role use way time case point thing longer'.split(' '));
/** So much of what is denied, and of what it is denied of, the other one has to say. */
const MIN_SAID = 2;

/** The words of one clause that are denied, and those of what they are denied of. */
interface Denial {
  denied: readonly Token[];
  of: readonly Token[];
  clause: readonly Token[];
}

/**
 * Whether one of two claims denies what the other tells: "There are no plans for a share buyback" and "The share buyback starts in June". The other
 * has to say the word that is denied first, and one more of those around it that the question does not tell.
 */
export const denyEachOther = (one: Reading, other: Reading, asked: Reading): boolean =>
  deniesWhatIsStated(one, other, asked) || deniesWhatIsStated(other, one, asked);

function deniesWhatIsStated(denying: Reading, told: Reading, asked: Reading): boolean {
  if (!denying.hasNegation) return false;
  const denials = denialsIn(denying, asked);
  if (denials.length === 0) return false;
  const clauses = clausesOf(told.tokens.filter((_, at) => !told.contrasted?.has(at)));
  return denials.some((denial) => {
    if (areOfOtherYears(denial.clause, told.tokens)) return false;
    return isAffirmed(denial, affirmedOf(clauses, denial).flat());
  });
}

/** "Considered, but not imposed, an entry in the list": what has no verb of its own behind a comma is denied with what stands before it. */
function affirmedOf(clauses: readonly (readonly Token[])[], denial: Denial): (readonly Token[])[] {
  let isDenied = false;
  return clauses.filter((clause) => {
    const deniesHere = clause.some((_, at) => deniesAnother(clause, at, denial));
    isDenied = deniesHere || (isDenied && !clause.some(isFiniteOrPast));
    return !isDenied;
  });
}

/** What is done without something is done, and who "can refuse it" refuses, where that is what is denied. */
function deniesAnother(clause: readonly Token[], at: number, { denied }: Denial): boolean {
  const token = clause[at];
  if (!token || token.word.text === 'without') return false;
  return (
    isNegationAt(clause, at) ||
    (denies(token) && !((REFUSING.has(token.word.stem) || LIMITS.has(token.word.text)) && isAmong(token, denied.slice(0, 1))))
  );
}
const LIMITS = new Set('limit limits restriction restrictions'.split(' '));
const REFUSING = stemsOf('refuse reject deny');

function isAffirmed({ denied, of }: Denial, affirmed: readonly Token[]): boolean {
  const [verb, object] = denied;
  const first = verb && object && GIVING.has(verb.word.stem) && !isAmong(verb, affirmed) ? object : verb;
  if (!first) return false;
  // "Pleaded" means another thing in "pleaded guilty" than in "pleaded not guilty".
  const isSaid = (token: Token): boolean => isAmong(token, affirmed) || affirmed.some(({ word }) => word.text === token.word.text);
  const said = new Set([...denied, ...of].filter(isSaid).map(({ word }) => word.stem));
  if (NEEDED.has(first.word.text)) {
    const isNeeded = affirmed.some(({ word }) => NEEDING.has(word.text));
    return of.some((token) => isAmong(token, affirmed)) && said.size + (isNeeded && !said.has(first.word.stem) ? 1 : 0) >= MIN_SAID;
  }
  return isAmong(first, affirmed) && said.size >= MIN_SAID;
}

const denialsIn = ({ tokens }: Reading, asked: Reading): Denial[] =>
  clausesOf(tokens).flatMap((clause) =>
    clause.flatMap((token, at) => {
      const next = clause[at + 1]?.word.text ?? '';
      // "Has yet to be sunk" tells of a time.
      if (
        !(token.word.isNegation || token.word.isNegated || isAgainstDoing(clause, at)) ||
        token.word.text === 'without' ||
        IDLE_AFTER_DENIAL.has(next) ||
        clause.slice(at).some(isThan)
      )
        return [];
      return [
        denialAt(clause, at, (word) => isContentWord(word) && !asked.stems.has(word.word.stem) && !NAMING_NOTHING.has(word.word.text)),
      ];
    }),
  );

const isThan = ({ word }: Token): boolean => word.text === 'than';

/** "Illegal" denies itself. What is denied of a clause that begins with "no" stands behind its verb: "No trial compared it with …". */
function denialAt(clause: readonly Token[], at: number, isContentWord: (token: Token) => boolean): Denial {
  const isOwn = clause[at]?.word.isNegated === true;
  const verb = at === 0 && !isOwn ? clause.findIndex((_, place) => place > 0 && isFiniteVerbAt(clause, place)) : -1;
  const [of, behind] = verb < 0 ? [clause.slice(0, at), clause.slice(isOwn ? at : at + 1)] : [clause.slice(1, verb), clause.slice(verb)];
  const denied = behind.filter(isContentWord);
  return { denied: HEADS.has(denied[0]?.word.text ?? '') ? denied.slice(1) : denied, of: of.filter(isContentWord), clause };
}
