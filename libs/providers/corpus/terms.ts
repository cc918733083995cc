import { stems } from '@lib/text/tokens';

import type { Passage } from './passages';

const IDENTIFIER = /(?<![\p{L}\d$])[\p{L}\d$]*(?:[\p{Ll}\d][\p{Lu}_./-]|[_./-][\p{L}\d])[\p{L}\d_$./-]*/gu;
const PARTS = /[_$./-]+|(?<=[\p{Ll}\d])(?=\p{Lu})/u;

/**
 * The terms that a text is found by: stems of its words, and of the parts of its identifiers, so that `setErrorHandler` and
 * `reply.send` are found by "error handler" and "send" as well as by their own names.
 */
export function termsOf(text: string): string[] {
  return [...stems(text), ...identifierParts(text).flatMap(([, parts]) => parts)];
}

/** The different identifiers of a text, each with the stems of its parts. */
export function identifierParts(text: string): [identifier: string, parts: string[]][] {
  const identifiers = new Set(Array.from(text.matchAll(IDENTIFIER), ([identifier]) => identifier));
  return Array.from(identifiers, (identifier) => [identifier, stems(identifier.split(PARTS).join(' '))]);
}

export interface PassageTerms {
  body: string[];
  headings: string[];
  /** Of the document's path and title. */
  document: string[];
}

export function termsOfPassage({ document, headings, chunks }: Passage): PassageTerms {
  const text = chunks.map((chunk) => chunk.text).join('\n\n');
  return {
    body: termsOf(document.format === 'markdown' ? withoutTargets(text) : text),
    headings: termsOf(headings.join(' ')),
    document: termsOf(`${document.path} ${document.title}`),
  };
}

/** Link targets and tags are no words of the text; links within the page are its table of contents. */
function withoutTargets(markdown: string): string {
  return markdown
    .replace(/\[[^\]]*\]\(#[^)]*\)/g, ' ')
    .replace(/\]\([^)]*\)|^ {0,3}\[[^\]]+\]:\s.*$/gm, '] ')
    .replace(/<[^>]*>/g, ' ');
}

/** The part that two sets have in common of what either has: 0 to 1. */
export function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = left.intersection(right).size;
  return shared / Math.max(1, left.size + right.size - shared);
}
