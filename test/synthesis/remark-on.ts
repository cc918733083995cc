import { readingOf } from '@lib/language/reading/read-text';
import type { Remark } from '@lib/synthesis/same-point/remark';
import { Remarks } from '@lib/synthesis/same-point/remarks';

/** The remark on the second of two sentences that providers state in answer to a question. */
export const remarkOn = (one: string, other: string, asked = ''): Remark | null =>
  new Remarks(readingOf(asked)).between(...([one, other].map((text) => ({ reading: readingOf(text), supporting: [] })) as [never, never]));
