import { splitSentences } from '@lib/language/sentences';
import { words } from '@lib/language/tokens';

import { beginsMarked } from '../formats/asked-headings';
import { REFERS_BACK } from '../formats/lead-in';
import type { Place, Unit } from './unit';

/** Paragraphs and items up to this length are quoted whole. */
const WHOLE = 420;
/** A sentence that refers back, or is as short as "Default: 50.", stays with the sentence before, up to this length. */
const MAX_LENGTH = 700;
/** Pieces with no more words than this say nothing by themselves. */
const FEW_WORDS = { prose: 3, item: 1 };
const POINTS_ELSEWHERE =
  /^\W*(?:(?:example|source) files?:|(?:see|examples?|for (?:more|further|examples?|details|information))\b(?![^.]*:\s*\S))/i;

const CITATION_MARK = /\[\^?\d+\]/;

type HangsOn = Pick<Unit, 'above' | 'introduction' | 'list' | 'isStep' | 'step'>;

/** A paragraph or item as one piece or, if it is long, as pieces of a few sentences. */
export function piecesOf(kind: 'prose' | 'item', markdown: string, place: Place, { step, ...hangsOn }: HangsOn): Unit[] {
  const sentences = splitSentences(markdown)
    .map(({ text }) => text)
    .filter((text, at, all) => isQuotable(text) || isAnswered(text, all[at + 1]));
  const pieces: string[][] = [];
  let length = 0;
  for (const sentence of sentences) {
    const last = pieces.at(-1);
    const leans = REFERS_BACK.test(sentence) || words(sentence).length <= FEW_WORDS.prose;
    const stays = length + sentence.length <= (leans ? MAX_LENGTH : WHOLE);
    if (last && stays) last.push(sentence);
    else pieces.push([sentence]);
    length = (last && stays ? length : 0) + sentence.length;
  }
  const [first = ''] = sentences;
  const saysEnough = (piece: readonly string[]): boolean => words(piece.join(' ')).length > FEW_WORDS[kind];
  return pieces.filter(saysEnough).map((piece, at) => ({
    ...hangsOn,
    kind,
    sentences: piece,
    text: piece.join(' '),
    above: at === 0 ? hangsOn.above : `${first}\n${hangsOn.above}`,
    ...place,
    ...(at === 0 && step !== undefined && { step }),
  }));
}

/** "Lost your card?" says when the sentence behind it applies: "Call us at once." A marked question is the heading of its answer already. */
const isAnswered = (sentence: string, next: string | undefined): boolean =>
  sentence.endsWith('?') && !beginsMarked(sentence) && next !== undefined && isQuotable(next) && !CITATION_MARK.test(sentence);

/** Excludes questions, references to other places, and texts with brackets that would look like a citation mark. */
function isQuotable(sentence: string): boolean {
  return !/[?:]$/.test(sentence) && !POINTS_ELSEWHERE.test(sentence) && !CITATION_MARK.test(sentence);
}
