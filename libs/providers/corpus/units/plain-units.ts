import { words } from '@lib/language/tokens';

import { introductionOfRow, leadInOf } from '../formats/lead-in';
import { ITEM } from '../formats/lists';
import { plainLine } from '../formats/markdown-line';
import type { Chunk } from '../formats/passages';
import { piecesOf } from './pieces';
import { NEAR_LINES, type Place, type Unit } from './unit';

const STEP = /^\s*(\d+)/;

/** The quotable parts of documents that are not Markdown: paragraphs, items and rows. */
export function plainUnits(chunks: readonly Chunk[]): Unit[] {
  /** The end of the preceding text, and whether that introduces each of several items. */
  let [leadIn, isInList, isInTable] = ['', false, false];
  return chunks.flatMap((chunk): Unit[] => {
    const isOfTable = chunk.part === 'heads' || chunk.part === 'row';
    // What leads to a table leads to nothing behind it.
    if (isInTable && !isOfTable) leadIn = '';
    isInTable = isOfTable;
    if (chunk.part === 'heads') return [];
    if (chunk.part === 'row') return rowOf(chunk, leadIn);
    if (chunk.part === 'code') {
      const above = leadIn;
      leadIn = '';
      return [codeOf(chunk, above)];
    }
    return partsOf(chunk).flatMap((part) => {
      const [line, isMarked] = [plainLine(part.text.replace(ITEM, '')), ITEM.test(part.text)];
      if (isInList && !isMarked) leadIn = '';
      const under = (chunk.introduction ?? []).map(plainLine);
      const introduction = !leadIn.endsWith(':') || under.includes(leadIn) ? under : [...under, leadIn];
      const own = leadInOf(line);
      // The lead-in of a list in plain text applies to each of its items; any other lead-in only to one paragraph.
      if (!isMarked || own.endsWith(':')) leadIn = own;
      isInList = isMarked;
      const kind = isMarked || chunk.part === 'item' ? 'item' : 'prose';
      const hangsOn = { above: introduction.join('\n'), introduction, ...stepOf(chunk, isMarked ? part.text : '') };
      return piecesOf(kind, line, placeOf(chunk, part), hangsOn);
    });
  });
}

/** The number of a step as the page gives it or, in plain text, as it is written. */
function stepOf({ isStep, step }: Chunk, item: string): Pick<Unit, 'isStep' | 'step'> {
  if (isStep) return { isStep, ...(step !== undefined && { step }) };
  const written = STEP.exec(item)?.[1];
  return written === undefined ? {} : { isStep: true, step: Number(written) };
}

interface Part {
  text: string;
  startLine: number;
  endLine: number;
}

/** A paragraph, divided before each line that looks like a list item. */
function partsOf({ text, startLine, endLine }: Chunk): Part[] {
  const lines = text.split('\n');
  const starts = [0, ...lines.keys().filter((at) => at > 0 && ITEM.test(lines[at] ?? ''))];
  if (starts.length === 1) return [{ text, startLine, endLine }];
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? lines.length;
    return { text: lines.slice(start, end).join('\n'), startLine: startLine + start, endLine: startLine + end - 1 };
  });
}

function rowOf(chunk: Chunk, leadIn: string): Unit[] {
  const { text, header = '' } = chunk;
  if (words(text).length <= 1) return [];
  const introduction = introductionOfRow(leadIn, header);
  return [
    {
      kind: 'row',
      sentences: [plainLine(text)],
      text,
      above: `${header}\n${leadIn}`,
      introduction,
      ...placeOf(chunk, chunk),
      ...placeOfHeads(chunk),
    },
  ];
}

/** The citation of a row includes the lines of its heads, if they are near. */
function placeOfHeads({ startLine, headerLine }: Chunk): Pick<Place, 'introducedFrom'> {
  return headerLine !== undefined && startLine - headerLine <= NEAR_LINES ? { introducedFrom: headerLine } : {};
}

function codeOf(chunk: Chunk, leadIn: string): Unit {
  const { text, language = '', introduction = [] } = chunk;
  const sentences = leadIn === '' ? [] : [leadIn];
  return {
    kind: 'code',
    sentences,
    code: { language, text },
    text,
    above: leadIn,
    introduction: introduction.map(plainLine),
    ...placeOf(chunk, chunk),
  };
}

const placeOf = ({ page }: Chunk, { startLine, endLine }: Part): Place => ({ startLine, endLine, ...(page !== undefined && { page }) });
