import type { Citation } from '@lib/domain/citation';

import { answer, quotedTerms, type Quotation } from './answer';
import { escapeMarkdown } from './quotations';
import { mentions } from './question';
import type { Retrieved } from './retrieve';

const LONGEST_QUESTION = 300;
const LONGEST_SNIPPET = 600;

/** The report on what was retrieved: quoted sentences under their sections' titles, each with the mark of its source. */
export function writeReport(retrieved: Retrieved): { markdown: string; citations: Citation[] } {
  const quotations = answer(retrieved);
  const report = new Report();
  report.add(`Answering from ${retrieved.documents} local documents.\n\n`);
  report.add(`The question was: ${escapeMarkdown(shortened(retrieved.query, LONGEST_QUESTION))}\n`);
  if (quotations.length === 0) return report.unanswered(retrieved);
  report.missing(quotations, retrieved);
  for (const [title, section] of bySection(quotations)) {
    report.add(`\n## ${escapeMarkdown(title)}\n\n`);
    for (const quotation of section) report.quote(quotation);
  }
  report.sources();
  return report;
}

class Report {
  markdown = '';
  readonly citations: Citation[] = [];

  add(text: string): void {
    this.markdown += text;
  }

  quote({ passage, paragraph, sentences }: Quotation): void {
    const index = this.citations.length + 1;
    this.add('- ');
    const startIndex = this.markdown.length;
    this.add(escapeLineStart(sentences.map((sentence) => `${sentence} [${index}]`).join(' ')));
    const endIndex = this.markdown.length;
    this.add('\n');
    const { startLine, endLine } = paragraph;
    const title = titleOf(passage);
    const url = corpusUrl(passage.document.path, startLine, endLine);
    const snippet = shortened(paragraph.text, LONGEST_SNIPPET);
    this.citations.push({ index, url, title, snippet, startIndex, endIndex, publishedAt: null, domain: null });
  }

  /** What was asked and is not in what is quoted: nobody should take the quotations for an answer to that. */
  missing(quotations: readonly Quotation[], { concepts }: Retrieved): void {
    const terms = quotedTerms(quotations);
    const words = concepts.filter((concept) => !mentions(terms, concept)).map(({ word }) => escapeMarkdown(word));
    if (words.length > 0) this.add(`\nThe quotations do not mention: ${words.join(', ')}.\n`);
  }

  sources(): void {
    this.add('\n## Sources\n\n');
    for (const { index, url, title } of this.citations) this.add(`${index}. [${escapeMarkdown(title ?? url)}](${url})\n`);
  }

  unanswered({ unknown, documents }: Retrieved): this {
    this.add('\nThese documents do not answer the question: no passage in them has enough of what it asks.\n');
    if (documents > 0 && unknown.length > 0) this.add(`\nNone of them mentions: ${unknown.map(escapeMarkdown).join(', ')}.\n`);
    return this;
  }
}

/** Sections in the order of their best quotation, quotations in the order of the document. */
function bySection(quotations: readonly Quotation[]): [title: string, section: Quotation[]][] {
  const sections = Map.groupBy(quotations, ({ passage }) => `${passage.document.path}\n${passage.headings.join('\n')}`);
  return Array.from(sections.values(), (section) => {
    const title = section[0] ? titleOf(section[0].passage) : '';
    return [title, section.toSorted((left, right) => left.paragraph.startLine - right.paragraph.startLine)];
  });
}

/** The title that a section is known by: its own and the one above, or the document's. */
function titleOf({ headings, document }: Quotation['passage']): string {
  const own = headings.filter((heading) => heading !== '').slice(-2);
  return own.length > 0 ? own.join(' › ') : document.title;
}

/** Names a place in the corpus by path and lines; never where the corpus lies on this machine. */
function corpusUrl(path: string, startLine: number, endLine: number): string {
  const encoded = path.split('/').map((part) => encodeURIComponent(part).replaceAll('%40', '@').replace(/[()']/g, encodeCharacter));
  return `corpus:/${encoded.join('/')}#L${startLine}-L${endLine}`;
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}

/** What would begin a heading, a list or a quotation. */
function escapeLineStart(line: string): string {
  return line.replace(/^([#>+-])/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s)/, '$1\\$2');
}
