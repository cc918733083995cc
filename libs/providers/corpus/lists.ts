import type { Block } from '@lib/language/markdown/block';
import { splitSentences } from '@lib/language/sentences';

import { leadsOn } from './lead-in';
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
const MAX_ITEM_LENGTH = 260;

/** How many columns stand before the marker of an item; undefined for a line that begins none. */
export const indentOf = (line: string): number | undefined => MARKER.exec(line)?.[1]?.length;

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

/** What an item is never quoted without: what leads to its list, and the items that it stands under. */
export function introductionOf({ parent }: Pick<Item, 'parent'>, leadIn: string): string[] {
  const parents: string[] = [];
  for (let above = parent; above; above = above.parent) parents.unshift(leadingPart(above.markdown));
  return leadsOn(leadIn) ? [leadIn, ...parents] : parents;
}

/** The item of the uppermost level that one stands under; itself if it stands under none. */
export function outermost(item: Item): Item {
  return item.parent ? outermost(item.parent) : item;
}

/** Of a long item the sentence that leads to those below it, or its first. */
export function leadingPart(markdown: string): string {
  if (markdown.length <= MAX_ITEM_LENGTH) return markdown;
  const last = splitSentences(markdown).at(-1)?.text ?? '';
  return last.endsWith(':') ? last : firstSentence(markdown);
}

/** A list of items of one level, in one line. */
export interface WholeList {
  markdown: string;
  /** What introduces it; empty if nothing does. */
  leadIn: string;
  /** What that in turn is never quoted without. */
  introduction: readonly string[];
  startLine: number;
  endLine: number;
}

/** The lists that some items make, of two items or more; what is too long even when each item is cut to its first sentence is left out. */
export function listsOf(items: readonly Item[], leadIn: string, longest: number): WholeList[] {
  const levels = Map.groupBy(items, ({ parent }) => parent?.startLine ?? 0);
  return [...levels.values()].flatMap((level): WholeList[] => {
    const [first] = level;
    if (!first || level.length < 2) return [];
    const texts = [({ markdown }: Item): string => markdown, ({ markdown }: Item): string => firstSentence(markdown)].map((textOf) =>
      level.map((item) => withThoseBelow(item, items, textOf)),
    );
    const markdown = texts.map((each) => joined(each, first.isNumbered)).find((text) => text.length <= longest);
    if (markdown === undefined) return [];
    const { parent, startLine } = first;
    const hangsOn = parent
      ? { leadIn: parent.markdown, introduction: introductionOf(parent, leadIn) }
      : { leadIn, introduction: [] as readonly string[] };
    return [{ markdown, ...hangsOn, startLine, endLine: level.at(-1)?.endLine ?? startLine }];
  });
}

/** "Dogs, except:" says the opposite without the items below it. */
function withThoseBelow(item: Item, items: readonly Item[], textOf: (item: Item) => string): string {
  const text = textOf(item);
  if (!item.markdown.endsWith(':')) return text;
  const below = items.filter(({ parent }) => parent?.startLine === item.startLine);
  return [text, ...below.map((each) => `◦ ${withThoseBelow(each, items, textOf)}`)].join(' ');
}

function firstSentence(markdown: string): string {
  const [first] = splitSentences(markdown);
  return first && first.text.length <= MAX_ITEM_LENGTH ? first.text : markdown.slice(0, MAX_ITEM_LENGTH).replace(/\S*$/, '…');
}

/** In the order of the list. */
function joined(items: readonly string[], isNumbered: boolean): string {
  return items.map((item, at) => `${isNumbered ? `(${String(at + 1)})` : '•'} ${item}`).join(' ');
}
