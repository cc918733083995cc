import type { Block } from '@lib/language/markdown/block';
import { splitSentences } from '@lib/language/sentences';

import { leadsOn } from './lead-in';
import { markdownOf } from './markdown-line';

/** An item of a list with its further paragraphs, in one line. */
export interface Item {
  /** In Markdown. */
  markdown: string;
  /** Its number in its list, as a page shows it; undefined for a bullet. */
  number: number | undefined;
  /** How many columns stand before its marker. */
  indent: number;
  /** The item that it is nested under. */
  parent: Item | undefined;
  startLine: number;
  endLine: number;
}

/** The beginning of a list item in plain text. */
export const ITEM = /^\s*(?:[-*+•–▪◦‣]|\d{1,3}[.)])\s+/u;
const MARKER = /^([\s>]*)(?:[-*+]|(\d{1,9})[.)])(?:\s|$)/;
const MAX_ITEM_LENGTH = 260;

/** What stands before an item: its number, or a bullet. */
export const markOf = (step: number | undefined): string => (step === undefined ? '•' : `(${String(step)})`);

/** How many columns stand before the marker of an item; undefined for a line that does not begin an item. */
export const indentOf = (line: string): number | undefined => MARKER.exec(line)?.[1]?.length;

/** Adds a block to the items of a list: as a further item, or as one more paragraph of the last. */
export function itemsOf(items: readonly Item[], block: Block, lines: readonly string[]): Item[] {
  const { startLine, endLine } = block;
  const [marker, before = '', written] = MARKER.exec(lines[startLine - 1] ?? '') ?? [];
  const last = items.at(-1);
  const markdown = markdownOf(block);
  if (marker === undefined && last) return [...items.slice(0, -1), { ...last, markdown: `${last.markdown} ${markdown}`, endLine }];
  const indent = before.length;
  const parent = items.findLast((item) => item.indent < indent);
  const above = items.findLast((item) => item.parent === parent)?.number ?? -1;
  // All items may be written with the same number.
  const number = written === undefined ? undefined : Math.max(Number(written), above + 1);
  return [...items, { markdown, number, indent, parent, startLine, endLine }];
}

/** The lines an item is never quoted without: the lead-in of its list, and the items that it is nested under. */
export function introductionOf({ parent }: Pick<Item, 'parent'>, leadIn: string): string[] {
  const parents: string[] = [];
  for (let above = parent; above; above = above.parent) parents.unshift(leadingPart(above.markdown));
  return leadsOn(leadIn) ? [leadIn, ...parents] : parents;
}

/** The top-level item that contains this one; the item itself if it is at the top. */
export function outermost(item: Item): Item {
  return item.parent ? outermost(item.parent) : item;
}

/** Shortens a long item to the sentence that leads to the items below it, or to its first sentence. */
export function leadingPart(markdown: string): string {
  if (markdown.length <= MAX_ITEM_LENGTH) return markdown;
  const last = splitSentences(markdown).at(-1)?.text ?? '';
  return last.endsWith(':') ? last : firstSentence(markdown);
}

/** A list of items of one level, in one line. */
export interface WholeList {
  markdown: string;
  /** The text that introduces it; empty if there is none. */
  leadIn: string;
  /** The lines without which the lead-in is never quoted. */
  introduction: readonly string[];
  startLine: number;
  endLine: number;
}

/** The lists of two or more items at one level. A list that is too long even with each item cut to its first sentence is left out. */
export function listsOf(items: readonly Item[], leadIn: string, longest: number): WholeList[] {
  const levels = Map.groupBy(items, ({ parent }) => parent?.startLine ?? 0);
  return [...levels.values()].flatMap((level): WholeList[] => {
    const [first] = level;
    if (!first || level.length < 2) return [];
    const markdown = [({ markdown }: Item): string => markdown, ({ markdown }: Item): string => firstSentence(markdown)]
      .map((textOf) => level.map((item) => `${markOf(item.number)} ${withThoseBelow(item, items, textOf)}`).join(' '))
      .find((text) => text.length <= longest);
    if (markdown === undefined) return [];
    const { parent, startLine } = first;
    const hangsOn = parent
      ? { leadIn: parent.markdown, introduction: introductionOf(parent, leadIn) }
      : { leadIn, introduction: [] as readonly string[] };
    return [{ markdown, ...hangsOn, startLine, endLine: level.at(-1)?.endLine ?? startLine }];
  });
}

/** Includes the nested items, because "Dogs, except:" says the opposite without them. */
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
