/** Loops, because the sets' own methods take several times as long and these run for every pair of sentences. */

export function haveCommon(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  for (const element of some) if (all.has(element)) return true;
  return false;
}

export function oneHoldsTheOther(mine: ReadonlySet<string>, yours: ReadonlySet<string>): boolean {
  return mine.size <= yours.size ? isWithin(mine, yours) : isWithin(yours, mine);
}

export function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  if (some.size > all.size) return false;
  for (const element of some) if (!all.has(element)) return false;
  return true;
}

export const areTheSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && isWithin(one, other);

export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
