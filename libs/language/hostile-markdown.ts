import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Containers (quotes, lists, footnotes) that one line may open; deeper ones are read as text. */
const MAX_CONTAINERS = 12;
/** Column beyond which a line opens no container: it bounds nesting by indentation. */
const MAX_INDENT = 100;
/** Emphasis and link delimiters that one paragraph, heading or table cell may have; the rest are read as text. */
const MAX_DELIMITERS = 300;

/** Characters that can mean markup, each at the place of its stand-in. */
const MARKUP = '[]*_~>-+.)';
/** The stand-ins are Unicode noncharacters, reserved for internal use, of the same UTF-16 length: offsets stay true. */
const FIRST_STAND_IN = 0xfdd0;
const STAND_INS = new RegExp(`[\\u{${FIRST_STAND_IN.toString(16)}}-\\u{${(FIRST_STAND_IN + MARKUP.length - 1).toString(16)}}]`, 'gu');

/** The inline constructs that take quadratic time, by their names in the parser. */
const SLOW_CONSTRUCTS = [
  'attention',
  'strikethrough',
  'labelStartLink',
  'labelStartImage',
  'labelEnd',
  'gfmFootnoteCall',
  'gfmPotentialFootnoteCall',
];
/** Addresses without markup stay text: looking for them is slow. */
const LITERAL_ADDRESSES = ['wwwAutolink', 'protocolAutolink', 'emailAutolink'];

const SYNTAX = [gfm(), { disable: { null: LITERAL_ADDRESSES } }];
/** Without one of these a text holds no table, strikethrough, task or footnote, and CommonMark alone reads it in half the time. */
const GITHUB_MARKUP = /[|~]|:-|-:|\[\^|\[[ \t\r\nxX]\]/;
const BLOCK_SYNTAX = [gfm(), { disable: { null: [...LITERAL_ADDRESSES, ...SLOW_CONSTRUCTS] } }];
const TREE = gfmFromMarkdown().filter(({ transforms }) => !transforms);

const CONTAINER_MARKER = /[ \t]*(?:>|[-+*](?=[ \t\r\n])|\d{1,9}[.)](?=[ \t\r\n])|\[\^[^\]\s]{1,999}\]:)/y;

/**
 * Parses GitHub-flavoured Markdown in bounded time and depth, with positions that are true for `markdown`.
 * The parser recurses per nested container and takes quadratic time per paragraph full of delimiters, so markup
 * beyond the limits above is replaced by stand-ins of the same length first; `restoreMarkup` puts it back into text.
 * It is quadratic in other ways too: give it the parts of a document (`partsOf`), not a long document.
 */
export function parseBounded(markdown: string): Nodes {
  const bounded = limitDelimiters(limitContainers(markdown));
  return GITHUB_MARKUP.test(bounded) ? fromMarkdown(bounded, { extensions: SYNTAX, mdastExtensions: TREE }) : fromMarkdown(bounded);
}

/** Undoes the replacement of `parseBounded` in a text of its tree. */
export function restoreMarkup(text: string): string {
  return text.replace(STAND_INS, (standIn) => MARKUP[standIn.charCodeAt(0) - FIRST_STAND_IN] ?? standIn);
}

function standInFor(character: string): string {
  return String.fromCharCode(FIRST_STAND_IN + MARKUP.indexOf(character));
}

function limitContainers(markdown: string): string {
  // The parser skips a byte order mark and would count every offset from after it.
  const source = markdown.startsWith('\uFEFF') ? ` ${markdown.slice(1)}` : markdown;
  return source.replace(/[^\r\n]+/g, limitContainersOfLine);
}

function limitContainersOfLine(line: string): string {
  let depth = 0;
  let end = 0;
  CONTAINER_MARKER.lastIndex = 0;
  for (let match = CONTAINER_MARKER.exec(line); match; match = CONTAINER_MARKER.exec(line)) {
    depth += 1;
    if (depth > MAX_CONTAINERS || match[0].length > MAX_INDENT) {
      const marker = match[0].trimStart();
      const deciding = /^\d/.test(marker) ? end + match[0].length - 1 : end + match[0].length - marker.length;
      return line.slice(0, deciding) + standInFor(line.charAt(deciding)) + line.slice(deciding + 1);
    }
    end = CONTAINER_MARKER.lastIndex;
  }
  return line;
}

function limitDelimiters(markdown: string): string {
  // Most documents cannot have a leaf over the limit and are spared the extra pass.
  const suspicious = markdown.split(/\n[ \t]*\r?\n/).some(hasTooManyDelimiters);
  if (!suspicious) return markdown;
  const blocksOnly = fromMarkdown(markdown, { extensions: BLOCK_SYNTAX, mdastExtensions: TREE });
  const parts: string[] = [];
  let done = 0;
  for (const leaf of leavesOf(blocksOnly)) {
    const start = leaf.position?.start.offset ?? 0;
    const end = leaf.position?.end.offset ?? 0;
    parts.push(markdown.slice(done, start), limitDelimitersOfLeaf(markdown.slice(start, end)));
    done = end;
  }
  parts.push(markdown.slice(done));
  return parts.join('');
}

/** True for a paragraph, heading or table cell of which `parseBounded` reads some markup as text. */
export function hasTooManyDelimiters(text: string): boolean {
  return (text.match(/[[\]*_~]/g)?.length ?? 0) > MAX_DELIMITERS;
}

function limitDelimitersOfLeaf(text: string): string {
  let seen = 0;
  return text.replace(/[[\]*_~]/g, (delimiter) => (++seen > MAX_DELIMITERS ? standInFor(delimiter) : delimiter));
}

function leavesOf(node: Nodes): Nodes[] {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') return [node];
  return 'children' in node ? node.children.flatMap(leavesOf) : [];
}
