import type { AskedQuestion } from './question-file';

/** What came of a question. */
export interface Score {
  answer: boolean;
  anywhere: boolean;
  /** Whether the report has no answer, or says so itself. */
  abstains: boolean;
  /** Lines of lists in the answer part. */
  lines: number;
}

const ENOUGH = 0.8;
const MIN_TOKENS = 4;
const SAYS_NOTHING = /\bno answer\b|\b(?:do|does|did) not answer\b|\bnothing (?:was |could be )?found\b|\bcannot be answered\b/i;
export const LIST_LINE = /^\s*(?:[-*+]|\d+[.)])\s/;

/** Whether a report answers its question: see `hits`. The list of sources answers nothing. */
export function scoreOf({ answerable, gold, goldAll }: AskedQuestion, report: string): Score {
  const answer = partOf(report, 'Answer') || partOf(report, 'Summary');
  const lines = answer.split('\n').filter((line) => LIST_LINE.test(line)).length;
  const isEmpty = answer.trim() === '';
  const found = (text: string): boolean =>
    answerable && (goldAll ? gold.every((one) => hits(one, text)) : gold.some((one) => hits(one, text)));
  return {
    answer: found(answer),
    anywhere: found(report.replace(/^## Sources\s*$[\s\S]*?(?=^#{1,2} |(?![\s\S]))/m, '')),
    abstains: isEmpty || (lines === 0 && (SAYS_NOTHING.test(answer) || partOf(report, 'Summary') === '')),
    lines,
  };
}

/** The part of a report under a heading of the second depth; empty if there is none. */
export function partOf(report: string, title: string): string {
  const [, part = ''] = new RegExp(`^## ${title}[ \\t]*\\n([\\s\\S]*?)(?=^#{1,2} |(?![\\s\\S]))`, 'im').exec(report) ?? [];
  return part;
}

/**
 * Whether the text contains the gold, ignoring markup and white space, or one of its lines has 80 % of the gold's different words, including all
 * numbers and identifiers. A gold of fewer than four words has to be contained.
 */
export function hits(gold: string, text: string): boolean {
  if (text === '') return false;
  const wanted = normal(gold).replace(/^[\s.:-]+|[\s.:;-]+$/g, '');
  if (normal(text).includes(wanted)) return true;
  const sought = [...tokensOf(gold)];
  if (sought.length < MIN_TOKENS) return false;
  const needed = exactTokensOf(gold);
  return text.split('\n').some((line) => {
    const has = tokensOf(line);
    return needed.every((token) => has.has(token)) && sought.filter((token) => has.has(token)).length >= ENOUGH * sought.length;
  });
}

/** Those with a digit, a capital inside or an underscore: what a gold is about. */
function exactTokensOf(gold: string): string[] {
  const words = gold.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const present = tokensOf(gold);
  return words
    .filter((word) => /\p{N}|\p{Ll}\p{Lu}|\w_\w/u.test(word))
    .map((word) => word.toLowerCase())
    .filter((word) => present.has(word));
}

const tokensOf = (text: string): Set<string> => new Set(normal(text).match(/[\p{L}\p{N}_$]+/gu) ?? []);

/** The text without markup, in small letters. */
function normal(text: string): string {
  return text
    .replace(/\n[ \t]*>[ \t]?/g, '\n')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/!?\[((?:[^\][]|\[[^\]]*\])*)\](?:\(<?[^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<\/?[a-z][^<>\n]{0,200}>/gi, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[`*|]/g, ' ')
    .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?)\]])|(?<=[([]) /g, '')
    .trim()
    .toLowerCase();
}
