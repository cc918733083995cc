import { readingOf } from '@lib/language/reading/parts';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { splitSentences } from '@lib/language/sentences';

/** "**Costs.** The bridge …", "**Costs**: the bridge …", with what stands behind it. */
const BOLD_START = /^(\*\*|__)([^*_\n]{1,60})\1(:?)\s+(?=["“'(]?[\p{Lu}\p{N}])/u;
const LONGEST_HEADING = 5;
/** Of a name: "**Acme Inc.** The company". */
const ABBREVIATED = /(?:^|\s)(?:\p{L}|inc|corp|co|ltd|llc|plc|dr|mr|mrs|ms|prof|st|jr|sr|no|vs)\.$/iu;
/** They begin what the heading may be the subject of. */
const POINTING = new Set('he she it they his her its their this these that those'.split(' '));

/** How long the bold heading is that a paragraph or an item of a list begins with, if what follows stands without it. */
export function runInHeading(block: string): number {
  const [heading = '', , label = '', colon = ''] = BOLD_START.exec(block) ?? [];
  const isColon = colon !== '' || label.endsWith(':');
  if (heading === '' || !(isColon || /[.?!]$/.test(label)) || ABBREVIATED.test(label)) return 0;
  const { tokens } = readingOf(label);
  if (tokens.length > LONGEST_HEADING || (label.endsWith('.') && tokens.some((_, at) => isFiniteVerbAt(tokens, at)))) return 0;
  const [following] = splitSentences(block.slice(heading.length));
  const words = readingOf(following?.text ?? '').tokens;
  const first = words[0]?.word.text ?? '';
  // "**Velotamib:** The drug was approved": the colon may be after what is spoken of.
  if (POINTING.has(first) || (isColon && first === 'the')) return 0;
  return words.some((_, at) => isFiniteVerbAt(words, at)) ? heading.length : 0;
}
