import type { Citation } from '@lib/domain/citation';

import { answer, quotedTerms, type Quotation } from './answer';
import { mentions } from './concept';
import { escapeMarkdown, type Quotable } from './quotations';
import type { Retrieved, RetrievedFacet } from './retrieve';

const LONGEST_QUESTION = 300;
const LONGEST_SNIPPET = 600;

interface Answered {
  facet: RetrievedFacet;
  quotations: Quotation[];
}

/**
 * The report: quoted sentences under their sections' titles, each with the mark of its source. Several questions get a part each, and those
 * that the documents do not answer are named.
 */
export function writeReport({ documents, query, known, facets }: Retrieved): { markdown: string; citations: Citation[] } {
  const quoted = new Set<string>();
  const answers = facets.map((facet): Answered => ({
    facet,
    quotations: answer(facet, known).filter((quotation) => isNew(quotation, quoted)),
  }));
  const report = new Report();
  report.add(`Answering from ${documents} local ${documents === 1 ? 'document' : 'documents'}.\n\n`);
  report.add(`The question was: ${escapeMarkdown(shortened(query, LONGEST_QUESTION))}\n`);
  const [only, ...others] = answers;
  if (answers.every(({ quotations }) => quotations.length === 0)) return report.unanswered(documents, facets);
  if (only && others.length === 0) report.answered(only, 2);
  else for (const answered of answers) report.facet(answered);
  report.sources();
  return report;
}

/** Quotes nothing again that was quoted under an earlier question. */
function isNew({ passage, sentences }: Quotation, quoted: Set<string>): boolean {
  const key = `${passage.document.path}\n${sentences.join('\n')}`;
  return quoted.size < quoted.add(key).size;
}

class Report {
  markdown = '';
  readonly citations: Citation[] = [];

  add(text: string): void {
    this.markdown += text;
  }

  facet({ facet, quotations }: Answered): void {
    this.add(`\n## ${escapeMarkdown(shortened(facet.text, LONGEST_QUESTION))}\n`);
    if (quotations.length > 0) return this.answered({ facet, quotations }, 3);
    this.add('\nThe documents do not answer this part of the question: no passage in them has enough of what it asks.\n');
    if (facet.unknown.length > 0) this.add(`\nThe documents do not mention: ${facet.unknown.map(escapeMarkdown).join(', ')}.\n`);
  }

  /** @param depth of the headings of the sections */
  answered({ facet, quotations }: Answered, depth: number): void {
    this.missing(quotations, facet);
    for (const [title, section] of bySection(quotations)) {
      this.add(`\n${'#'.repeat(depth)} ${escapeMarkdown(title)}\n\n`);
      for (const quotation of section) this.quote(quotation);
    }
  }

  sources(): void {
    this.add('\n## Sources\n\n');
    for (const { index, url, title } of this.citations) this.add(`${index}. [${escapeMarkdown(title ?? url)}](${url})\n`);
  }

  unanswered(documents: number, facets: readonly RetrievedFacet[]): this {
    this.add('\nThese documents do not answer the question: no passage in them has enough of what it asks.\n');
    const unknown = [...new Set(facets.flatMap((facet) => facet.unknown))];
    if (documents > 0 && unknown.length > 0) this.add(`\nThe documents do not mention: ${unknown.map(escapeMarkdown).join(', ')}.\n`);
    return this;
  }

  private quote({ passage, paragraph, sentences }: Quotation): void {
    const index = this.citations.length + 1;
    this.add('- ');
    const startIndex = this.markdown.length;
    this.add(escapeLineStart(sentences.map((sentence) => `${sentence} [${index}]`).join(' ')));
    const endIndex = this.markdown.length;
    this.add('\n');
    const title = titleOf(passage);
    const url = corpusUrl(passage.document.path, paragraph);
    const snippet = shortened(paragraph.text, LONGEST_SNIPPET);
    this.citations.push({ index, url, title, snippet, startIndex, endIndex, publishedAt: null, domain: null });
  }

  /** Names the words of the question that no quotation covers, so that nobody takes the quotations for an answer to them. */
  private missing(quotations: readonly Quotation[], { concepts }: RetrievedFacet): void {
    const terms = quotedTerms(quotations);
    const words = concepts.filter((concept) => !mentions(terms, concept)).map(({ word }) => escapeMarkdown(word));
    if (words.length > 0) this.add(`\nOf what was asked, the quoted documents do not mention: ${words.join(', ')}.\n`);
  }
}

/** Sections in the order of their best quotation, quotations in the order of the document. */
function bySection(quotations: readonly Quotation[]): [title: string, section: Quotation[]][] {
  const sections = Map.groupBy(quotations, ({ passage }) => `${passage.document.path}\n${passage.headings.join('\n')}`);
  return Array.from(sections.values(), (section) => {
    const title = section[0] ? titleOf(section[0].passage) : '';
    return [
      title,
      section.toSorted(
        (left, right) => (left.paragraph.page ?? 0) - (right.paragraph.page ?? 0) || left.paragraph.startLine - right.paragraph.startLine,
      ),
    ];
  });
}

/** A section's own title and the one above it, or else the document's title. */
function titleOf({ headings, document }: Quotation['passage']): string {
  const own = headings.filter((heading) => heading !== '').slice(-2);
  return own.length > 0 ? own.join(' › ') : document.title;
}

/** Names a place in the corpus by path and lines, or by page (RFC 8118), without revealing paths of this machine. */
function corpusUrl(path: string, { startLine, endLine, page }: Quotable): string {
  const encoded = path.split('/').map((part) => encodeURIComponent(part).replaceAll('%40', '@').replace(/[()']/g, encodeCharacter));
  return `corpus:/${encoded.join('/')}#${page === undefined ? `L${startLine}-L${endLine}` : `page=${page}`}`;
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}

/** Characters that would begin a heading, a list or a quotation. */
function escapeLineStart(line: string): string {
  return line.replace(/^([#>+-])/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s)/, '$1\\$2');
}
