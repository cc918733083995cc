import { stemsOf } from '@lib/language/reading/lexicon';
import { IDLE_AFTER_NOT, isAgainstDoing, isNegationAt } from '@lib/language/reading/polarity';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { areOfOtherYears, clausesOf } from './clauses';
import { denies } from '../difference/denials';
import { isAmong } from '../alignment/same-word';

/** After "not" and "no" these are not denied. */
const IDLE_AFTER_DENIAL = IDLE_AFTER_NOT.union(new Set('doubt more less fewer later'.split(' ')));
/** Skipped after a negation: "no plans for a buyback" denies a buyback, and "no sign of harm" denies harm. */
const HEADS = new Set('plan plans sign signs evidence indication reason reasons intention proof attempt attempts'.split(' '));
/** These can replace each other: "never put a warning on it" denies a warning that the other "gave" or "added". */
const GIVING = stemsOf('put add give issue attach place');
/** These deny what stands before them: "Consent is not needed". */
const NEEDED = new Set('needed required necessary mandatory compulsory obligatory'.split(' '));
const NEEDING = new Set('need needs must require requires asks calls demands obliged'.split(' '));
/** These name nothing after "no": "played no part", "made no use", "no longer". */
const NAMING_NOTHING = new Set('part role use way time case point thing longer'.split(' '));
/** Least number of words of the denial, and of its subject, that the other claim must have. */
const MIN_SAID = 2;

/** The denied words of a clause, and the words they are denied of. */
interface Denial {
  denied: readonly Token[];
  of: readonly Token[];
  clause: readonly Token[];
}

/**
 * Whether one of two claims denies what the other states: "There are no plans for a share buyback" and "The share buyback starts in June". The other
 * must contain the first denied word and another word of the denial that is not in the question.
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

/**
 * The clauses that are not denied. A part without its own verb is denied together with the clause before: "Considered, but not imposed, an entry in
 * the list".
 */
function affirmedOf(clauses: readonly (readonly Token[])[], denial: Denial): (readonly Token[])[] {
  let isDenied = false;
  return clauses.filter((clause) => {
    const deniesHere = clause.some((_, at) => deniesAnother(clause, at, denial));
    isDenied = deniesHere || (isDenied && !clause.some(isFiniteOrPast));
    return !isDenied;
  });
}

/** "Without" does not deny the deed itself; and "can refuse it" does not deny "refuse", if that is the denied word. */
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
  // The same form, not a synonym, also counts: "pleaded not guilty" and "pleaded guilty".
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
      const next = textAt(clause, at + 1);
      // Skips expressions of time such as "has yet to be sunk".
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

/**
 * The denial at an index. A word such as "illegal" denies itself. If a clause begins with "no", the denied words follow its verb: "No trial compared
 * it with …".
 */
function denialAt(clause: readonly Token[], at: number, isContentWord: (token: Token) => boolean): Denial {
  const isOwn = clause[at]?.word.isNegated === true;
  const verb = at === 0 && !isOwn ? clause.findIndex((_, place) => place > 0 && isFiniteVerbAt(clause, place)) : -1;
  const [of, behind] = verb < 0 ? [clause.slice(0, at), clause.slice(isOwn ? at : at + 1)] : [clause.slice(1, verb), clause.slice(verb)];
  const denied = behind.filter(isContentWord);
  return { denied: HEADS.has(textAt(denied, 0)) ? denied.slice(1) : denied, of: of.filter(isContentWord), clause };
}
