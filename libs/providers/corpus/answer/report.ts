import { escapeMarkdown } from '@lib/language/markdown/escape';
import type { Citation } from '@lib/domain/citation';
import { FURTHER_PASSAGES, MAY_HELP, NOT_ANSWERED } from '@lib/domain/quoting-report';

import { answer, type DocumentAnswer, type Quotation } from './answer';
import { corpusUrl } from './corpus-url';
import { withoutEscapes } from '../formats/markdown-line';
import type { Retrieved, RetrievedFacet } from '../finding/retrieve';
import { MAX_SEARCHED } from '../question/searched-part';
import { quotedLines, type Unit } from '../units/unit';

const MAX_QUESTION_LENGTH = 300;
const MAX_PART_LENGTH = 120;
const MAX_SNIPPET_LENGTH = 600;
/** How many unread files an answer names. */
const MAX_NAMED = 5;

interface Answered extends DocumentAnswer {
  facet: RetrievedFacet;
}

/**
 * The report: quotations under the titles of their sections, best first, each with its citation mark. Of several questions each gets a part, and
 * unanswered ones are named.
 */
export function writeReport({ documents, unread, query, byHeadings, known, facets }: Retrieved): {
  markdown: string;
  citations: Citation[];
} {
  const quoted = new Set<string>();
  const isNew = (quotation: Quotation): boolean => quoted.size < quoted.add(keyOf(quotation)).size;
  const found = facets.map((facet): Answered => ({ facet, ...answer(facet, { known, documents }) }));
  // A quotation that answers one question is not given up because it also comes close to another.
  const answered = found.map((each) => ({ ...each, best: each.best.filter(isNew) }));
  const helping = answered.map((each) => ({ ...each, mayHelp: each.mayHelp.filter(isNew) }));
  const answers = helping.map((each) => ({ ...each, further: each.further.filter(isNew) }));
  const report = new Report(byHeadings);
  report.add(`Answering from ${documents} local ${documents === 1 ? 'document' : 'documents'}.\n\n`);
  // As a heading, because otherwise statements in the question could be mistaken for statements of the documents.
  report.add(`# The question was: ${escapeMarkdown(shortened(query, MAX_QUESTION_LENGTH))}\n`);
  if (query.length > MAX_SEARCHED)
    report.add(
      `\nThe question is long: only its beginning and end were searched for, at most ${String(MAX_SEARCHED)} characters in all.\n`,
    );
  const [only, ...others] = answers;
  if (answers.every(({ best }) => best.length === 0)) report.unanswered(documents, unread, answers);
  else if (only && others.length === 0) report.answered(only.best, 2);
  // A quotation of an earlier part may also answer this one; then the part is not reported as unanswered.
  else for (const [at, each] of answers.entries()) report.facet(each, found[at]?.best.length === 0);
  report.below(
    MAY_HELP,
    answers.flatMap(({ mayHelp }) => mayHelp),
  );
  report.below(
    FURTHER_PASSAGES,
    answers.flatMap(({ further }) => further),
  );
  report.uncovered(answers);
  if (report.citations.length > 0) report.sources();
  return report;
}

const keyOf = ({ passage, unit }: Quotation): string => `${passage.document.path}#${unit.startLine}\n${unit.text}`;

class Report {
  markdown = '';
  readonly citations: Citation[] = [];

  constructor(private readonly byHeadings: boolean) {}

  add(text: string): void {
    this.markdown += text;
  }

  facet({ facet, best, lacks }: Answered, isUnanswered: boolean): void {
    this.add(`\n## ${escapeMarkdown(shortened(facet.text, MAX_QUESTION_LENGTH))}\n`);
    if (best.length > 0) return this.answered(best, 3);
    if (!isUnanswered) return this.add('\nThe answer to this part is among what is quoted above.\n');
    // Names the part within the sentence, because the sentence is repeated elsewhere without its heading.
    const part = escapeMarkdown(shortened(facet.text, MAX_PART_LENGTH));
    this.add(`\nThe documents do not answer this part of the question, “${part}”${this.whatIsMissing(lacks)}\n`);
    this.unknown([facet]);
  }

  /** @param depth the level of the section headings */
  answered(quotations: readonly Quotation[], depth: number): void {
    let section = '';
    for (const quotation of quotations) {
      const title = titleOf(quotation.passage);
      const own = `${quotation.passage.document.path}\n${title}`;
      if (own !== section) this.add(`\n${'#'.repeat(depth)} ${escapeMarkdown(title)}\n\n`);
      section = own;
      this.quote(quotation);
    }
  }

  below(heading: string, quotations: readonly Quotation[]): void {
    if (quotations.length === 0) return;
    this.add(`\n## ${heading}\n`);
    this.answered(quotations, 3);
  }

  /** Words of the answered questions that no quotation covers. */
  uncovered(answers: readonly Answered[]): void {
    const lacks = new Set(answers.flatMap((answered) => (answered.best.length > 0 ? answered.lacks : [])));
    if (lacks.size > 0) this.add(`\nThe quoted passages do not cover ${quotedWords([...lacks])}.\n`);
  }

  sources(): void {
    this.add('\n## Sources\n\n');
    for (const { index, url, title } of this.citations) this.add(`${index}. [${escapeMarkdown(title ?? url)}](${url})\n`);
  }

  unanswered(documents: number, unread: readonly string[], answers: readonly Answered[]): void {
    const lacks = [...new Set(answers.flatMap((answered) => answered.lacks))];
    this.add(`\n${NOT_ANSWERED}${this.whatIsMissing(lacks)}\n`);
    if (documents > 0) this.unknown(answers.map(({ facet }) => facet));
    if (unread.length === 0) return;
    const named = unread.slice(0, MAX_NAMED).map(escapeMarkdown).join(', ');
    const more = unread.length > MAX_NAMED ? ` and ${String(unread.length - MAX_NAMED)} more` : '';
    this.add(`\nThe documents do not include what could not be read: ${named}${more}.\n`);
  }

  /** If only headings were searched, the text says so: the words may well occur in the unread texts. */
  private whatIsMissing(lacks: readonly string[]): string {
    const [judged, found] = this.byHeadings
      ? [', as far as their headings and file names tell', 'no section whose heading or file name comes close to it']
      : ['', lacks.length === 0 ? 'no passage in them' : 'nothing that comes close to it'];
    return `${judged}: ${found} ${lacks.length === 0 ? 'has enough of what it asks' : `covers ${quotedWords(lacks)}`}.`;
  }

  private unknown(facets: readonly RetrievedFacet[]): void {
    const unknown = [...new Set(facets.flatMap((facet) => facet.unknown))];
    if (unknown.length > 0) this.add(`\nThe documents do not mention: ${unknown.map(escapeMarkdown).join(', ')}.\n`);
  }

  private quote({ passage, unit }: Quotation): void {
    const { code, text } = unit;
    const lines = quotedLines(unit);
    const index = this.citations.length + 1;
    this.add('- ');
    const startIndex = this.markdown.length;
    if (!code) this.add(escapeLineStart(lines.map((line) => `${line} [${index}]`).join(' ')));
    else this.add([...lines.map(escapeLineStart), fenced(code), `[${index}]`].join('\n\n  '));
    const endIndex = this.markdown.length;
    this.add('\n');
    const title = titleOf(passage);
    const url = corpusUrl(passage, unit);
    const snippet = shortened((code ? [...plain(unit.introduction), text] : plain(lines)).join(' '), MAX_SNIPPET_LENGTH);
    this.citations.push({ index, url, title, snippet, startIndex, endIndex, publishedAt: null, domain: null });
  }
}

const plain = (lines: readonly string[]): string[] => lines.map(withoutEscapes);

/** A code block inside a list item. */
function fenced({ language, text }: NonNullable<Unit['code']>): string {
  const fence = '`'.repeat(Math.max(3, 1 + Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))));
  return [`${fence}${language}`, ...text.split('\n'), fence].join('\n  ');
}

const quotedWords = (words: readonly string[]): string => words.map((word) => `“${escapeMarkdown(word)}”`).join(', ');

/** A section's own title and the one above it, or else the document's title. */
function titleOf({ headings, document }: Quotation['passage']): string {
  const own = headings.filter((heading) => heading !== '').slice(-2);
  return own.length > 0 ? own.join(' › ') : document.title;
}

function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}

/** Escapes characters that would begin a heading, a list or a quotation. */
function escapeLineStart(line: string): string {
  return line.replace(/^([#>+-])/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s)/, '$1\\$2');
}
