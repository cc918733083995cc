import type { Happening, Wording } from './reading';

/** What happens to a thing but once. */
const ONCE =
  /\b(?:founded|established|formed|created|invented|discovered|completed|opened|published|released|premiered|launched|incorporated|signed|abolished|debut(?:ed)?|inaugurated|patented|introduced|constructed|built|chartered|inducted|knighted|ordained|canoni[sz]ed|crowned)\b(?!\s+(?:an?|another|several|some|many|more|new|his|her|their|its|\p{N}|two|three|four|five)\b)/u;
const AGAIN = /\bagain\b|\bre-?(?:opened|built|established|founded|launched|released|published)\b|\banother\b/i;
const IN = /\b(?:founded|established|formed|built|signed|opened|created)\s+(?:in|at)\s+$/;

/** Null for what can happen again. */
export function happeningOf({ text, names }: Wording): Happening | null {
  if (!ONCE.test(text) || AGAIN.test(text)) return null;
  const name = names.find(({ words }) => IN.test(text.slice(0, words[0]?.start)));
  const place = name ? { text: text.slice(name.words[0]?.start, name.words.at(-1)?.end), name } : null;
  return { place };
}
