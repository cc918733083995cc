import { crc32 } from 'node:zlib';

import type { Passage } from '../formats/passages';
import type { Unit } from '../units/unit';

const MAX_LENGTH = 900;
const MAX_ABOVE = 200;
const MAX_HEADINGS = 150;

/** What a unit says, for somebody who sees nothing else of its document. */
export function meaningOf({ headings }: Passage, { above, text }: Unit): string {
  const under = headings.filter((heading) => heading !== '').join(' > ');
  return `${under.slice(-MAX_HEADINGS)}: ${above.slice(-MAX_ABOVE)} ${text.slice(0, MAX_LENGTH)}`;
}

/** Identifies it in the raw response. */
export const meaningKey = (meaning: string): number => crc32(meaning);
