import type { Block } from '@lib/language/markdown/block';
import { splitSentences } from '@lib/language/sentences';

import { markdownOf } from './markdown-line';

/** An item of a list with what belongs to it, in one line. */
export interface Item {
  /** In Markdown. */
  markdown: string;
  isNumbered: boolean;
  /** Columns before its marker. */
  indent: number;
  /** The item that it stands under. */
  parent: Item | undefined;
  startLine: number;
  endLine: number;
}

const MARKER = /^([\s>]*)(?:[-*+]|(\d{1,9})[.)])(?:\s|$)/;
const LONGEST_ITEM = 260;

/** The items so far and a block of the same list: a further item, or one more paragraph of the last. */
export function itemsOf(items: readonly Item[], block: Block, lines: readonly string[]): Item[] {
  const { startLine, endLine } = block;
  const [marker, before = '', number] = MARKER.exec(lines[startLine - 1] ?? '') ?? [];
  const last = items.at(-1);
  const markdown = markdownOf(block);
  if (marker === undefined && last) return [...items.slice(0, -1), { ...last, markdown: `${last.markdown} ${markdown}`, endLine }];
  const indent = before.length;
  const parent = items.findLast((item) => item.indent < indent);
  return [...items, { markdown, isNumbered: number !== undefined, indent, parent, startLine, endLine }];
}

/** A list of items of one level, in one line. */
export interface WholeList {
  markdown: string;
  /** What introduces it; empty if nothing does. */
  leadIn: string;
  startLine: number;
  endLine: number;
}

/** The lists that some items make, of two items or more; what is too long even when each item is cut to its first sentence is left out. */
export function listsOf(items: readonly Item[], leadIn: string, longest: number): WholeList[] {
  const levels = Map.groupBy(items, ({ parent }) => parent?.startLine ?? 0);
  return [...levels.values()].flatMap((level): WholeList[] => {
    const [first] = level;
    if (!first || level.length < 2) return [];
    const texts = [level.map(({ markdown }) => markdown), level.map(({ markdown }) => firstSentence(markdown))];
    const markdown = texts.map((each) => joined(each, first.isNumbered)).find((text) => text.length <= longest);
    if (markdown === undefined) return [];
    const { startLine } = first;
    return [{ markdown, leadIn: first.parent ? first.parent.markdown : leadIn, startLine, endLine: level.at(-1)?.endLine ?? startLine }];
  });
}

function firstSentence(markdown: string): string {
  const [first] = splitSentences(markdown);
  return first && first.text.length <= LONGEST_ITEM ? first.text : markdown.slice(0, LONGEST_ITEM).replace(/\S*$/, '…');
}

/** In the order of the list. */
function joined(items: readonly string[], isNumbered: boolean): string {
  return items.map((item, at) => `${isNumbered ? `(${String(at + 1)})` : '•'} ${item}`).join(' ');
}
