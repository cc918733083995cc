import { YEAR } from '@lib/language/reading/numeral';
import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { isNameWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { areAlike } from '../alignment/same-word';
import { sharedOnce, type SharedOnce } from '../alignment/shared-once';
import { isVerbAt } from '../roles/verb-and-object';

/**
 * Whether words that go together in pairs are paired otherwise: "Kelm had 300 employees and Ulm had 500" and "Ulm had 300 employees and Kelm had 500",
 * "Lind and Reuter won gold and silver, respectively" and "Reuter and Lind won gold and silver, respectively".
 */
export function pairsOtherwise(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const [areSeveral, areTheirsSeveral] = [mine, theirs].map((tokens) => tokens.some(({ word }) => word.text === 'and'));
  // "Wine is taxed at five percent" beside "beer and wine are taxed at five and nine percent respectively".
  if (areSeveral !== areTheirsSeveral && [mine, theirs].some((tokens) => tokens.some(({ word }) => word.text === 'respectively')))
    return true;
  if (!areSeveral || !areTheirsSeveral) return false;
  const own = sharedOnce(mine, theirs).flatMap((shared): Shared[] => {
    const token = mine[shared.here];
    return token ? [{ ...shared, kind: kindOf(token) }] : [];
  });
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

interface Shared extends SharedOnce {
  kind: 'amount' | 'name' | 'word';
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

/** Each amount behind the verb of a name, or right behind a name, with the name's last word: "fined Kelm €5 million and Ulm €2 million". No years. */
function figuresIn(tokens: readonly Token[]): { figure: Token; owner: Token }[] {
  let owner: Token | undefined;
  return tokens.flatMap((token, at) => {
    const isBehind = isFiniteVerbAt(tokens, at) || isVerbAt(tokens, at) || (token.word.isAmount && isNameWord(tokens[at - 1]));
    // "Kelm was fined" has its name before the auxiliary.
    if (isBehind && !FORMS_OF_BE.has(textAt(tokens, at - 1))) owner = tokens[at - 1];
    return token.word.isAmount && owner && isNameWord(owner) && !YEAR.test(token.word.text) ? [{ figure: token, owner }] : [];
  });
}
