import { collapseWhiteSpace } from '../white-space';
import type { Environment } from './environment';
import { limitOf } from './limits';
import { inlineTokens, type Token } from './parser';

/** A run of text, code, or HTML with its tags. */
export interface Piece {
  kind: 'text' | 'code' | 'html';
  text: string;
}

/** The only characters that can begin markup, a line break or a character reference. */
const MAY_BE_MARKUP = /[\\`*_~[\]<&\n]/;
/** Longer texts are read in parts, because the time for one grows with the product of its length and its number of delimiters. */
const MAX_PART_LENGTH = 8_192;

/** The content of a block's text, without links, images and emphasis. */
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
    // Images with a reference in place of an address are left out, since they are nearly always badges.
    else if (type === 'image' && !meta) addPieces(children ?? [], pieces);
  }
}

/** Cuts after white space, if there is any. */
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
