import { splitSentences } from '@lib/language/sentences';
import { words } from '@lib/language/tokens';

import { REFERS_BACK } from './lead-in';
import type { Place, Unit } from './unit';

/** Paragraphs and items up to this length are quoted whole. */
const WHOLE = 420;
/** What refers back stays with the sentence before, up to this length. */
const MAX_LENGTH = 700;
const POINTS_ELSEWHERE = /^\W*(?:see|examples?|for (?:more|further|examples?|details|information))\b(?![^.]*:\s*\S)/i;

type HangsOn = Pick<Unit, 'above' | 'introduction' | 'list' | 'isStep'>;

/** A paragraph or item, whole or where it is long in pieces of a few sentences. */
export function piecesOf(kind: 'prose' | 'item', markdown: string, place: Place, hangsOn: HangsOn): Unit[] {
  const sentences = splitSentences(markdown)
    .map(({ text }) => text)
    .filter((sentence) => isQuotable(sentence, kind));
  const pieces: string[][] = [];
  let length = 0;
  for (const sentence of sentences) {
    const last = pieces.at(-1);
    const stays = length + sentence.length <= (REFERS_BACK.test(sentence) ? MAX_LENGTH : WHOLE);
    if (last && stays) last.push(sentence);
    else pieces.push([sentence]);
    length = (last && stays ? length : 0) + sentence.length;
  }
  const [first = ''] = sentences;
  return pieces.map((piece, at) => ({
    ...hangsOn,
    kind,
    sentences: piece,
    text: piece.join(' '),
    above: at === 0 ? hangsOn.above : `${first}\n${hangsOn.above}`,
    ...place,
  }));
}

/** Excludes questions, references to what follows or is elsewhere, and texts whose brackets would look like a citation mark. */
function isQuotable(sentence: string, kind: 'prose' | 'item'): boolean {
  if (/[?:]$/.test(sentence)) return false;
  return !POINTS_ELSEWHERE.test(sentence) && !/\[\^?\d+\]/.test(sentence) && words(sentence).length > (kind === 'prose' ? 3 : 1);
}
