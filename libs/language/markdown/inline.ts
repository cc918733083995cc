import { collapseWhiteSpace } from '../white-space';
import type { Environment } from './environment';
import { limitOf } from './limits';
import { inlineTokens, type Token } from './parser';

/** A run of what a text says: words, code or a piece of HTML with its tags. */
export interface Piece {
  kind: 'text' | 'code' | 'html';
  text: string;
}

/** Nothing else can begin markup, a line break or a character reference. */
const MAY_BE_MARKUP = /[\\`*_~[\]<&\n]/;
/** A longer text is read in parts: the time for one grows with its length times its delimiters. */
const MAX_PART_LENGTH = 8_192;

/** What the text of a block says, without links, images and emphasis. */
export function piecesOf(text: string, environment: Environment): Piece[] {
  if (!MAY_BE_MARKUP.test(text)) return [{ kind: 'text', text }];
  const pieces: Piece[] = [];
  for (const part of partsOf(text)) {
    environment.limit = limitOf(part);
    addPieces(inlineTokens(part, environment), pieces);
  }
  return pieces;
}

/** The text in one line without any markup. */
export function plainText(text: string, environment: Environment): string {
  const pieces = piecesOf(text, environment);
  return collapseWhiteSpace(pieces.map((piece) => (piece.kind === 'html' ? withoutTags(piece.text) : piece.text)).join(''));
}

/** The text of HTML: tags and comments become spaces. */
export function withoutTags(html: string): string {
  return html.replace(/<!--[\s\S]*?(?:-->|$)|<[^<>]*>/g, ' ');
}

function addPieces(tokens: readonly Token[], pieces: Piece[]): void {
  for (const { type, content, children, meta } of tokens) {
    if (type === 'text' || type === 'text_special') pieces.push({ kind: 'text', text: content });
    else if (type === 'code_inline') pieces.push({ kind: 'code', text: content });
    else if (type === 'html_inline') pieces.push({ kind: 'html', text: content });
    else if (type === 'softbreak' || type === 'hardbreak') pieces.push({ kind: 'text', text: ' ' });
    // An image whose address stands elsewhere is nearly always a badge.
    else if (type === 'image' && !meta) addPieces(children ?? [], pieces);
  }
}

/** Cut after white space where there is some. */
function* partsOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > MAX_PART_LENGTH) {
    const space = text.lastIndexOf(' ', start + MAX_PART_LENGTH - 1);
    const end = space > start ? space + 1 : start + MAX_PART_LENGTH;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}
