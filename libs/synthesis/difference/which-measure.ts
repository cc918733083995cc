import type { Reading } from '@lib/language/reading/reading';

/**
 * Words that tell which measure is meant, or when it was taken: "income" and "net income", "before tax" and "after tax". Statements with different
 * ones are about different measures.
 */
const TELLING_WHICH = new Set(
  `net gross operating adjusted diluted organic nominal real annual annually yearly monthly weekly daily hourly quarterly before after since until during this last next
previous same per each every within without morning noon evening night maximum minimum average median first second third front rear inner outer`.split(
    /\s+/,
  ),
);
/** The words that tell which measure is meant, or when it was taken. */
export function whichOf({ tokens }: Reading): ReadonlySet<string> {
  const which = new Set<string>();
  for (const { word } of tokens) if (TELLING_WHICH.has(word.text)) which.add(word.text);
  return which;
}
