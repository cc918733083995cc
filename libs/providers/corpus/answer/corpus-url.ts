import { packedFormatOf } from '../formats/packed-file';
import type { Passage } from '../formats/passages';
import type { Unit } from '../units/unit';

/**
 * The address of a unit: the path of its document and its place there, without revealing paths of this machine. The place is told by lines; in a PDF
 * by the page (RFC 8118), in a Word document by paragraphs and in a workbook by the sheet and its rows, each counted from 1.
 */
export function corpusUrl({ document, headings }: Passage, unit: Unit): string {
  const path = document.path.split('/').map(encoded).join('/');
  return `corpus:/${path}#${placeOf(document.path, headings, unit)}`;
}

function placeOf(path: string, [sheet = '']: readonly string[], { startLine, endLine, introducedFrom = startLine, page }: Unit): string {
  if (page !== undefined) return `page=${String(page)}`;
  const lines = `${String(introducedFrom)}-${String(endLine)}`;
  switch (packedFormatOf(path.slice(path.lastIndexOf('.')).toLowerCase())) {
    case 'docx':
      return `paragraph=${lines}`;
    case 'xlsx':
      return `sheet=${encoded(sheet)}&row=${lines}`;
    default:
      return `L${String(introducedFrom)}-L${String(endLine)}`;
  }
}

const encoded = (part: string): string => encodeURIComponent(part).replaceAll('%40', '@').replace(/[()']/g, encodeCharacter);

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
