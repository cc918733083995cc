import { forbids } from '@lib/language/reading/forbids';
import { splitSentences } from '@lib/language/sentences';

/** A section that a report quotes: the path of its document, and its heading behind the one above it. */
export interface QuotedSection {
  path: string;
  title: string;
}

/** Between the headings of a title, the outermost first. */
export const BETWEEN_LEVELS = ' › ';
/** In UTF-16 units. A longer heading is a sentence that would only repeat the text below it, unless that text says little by itself. */
const MAX_NAME = 40;
const SAYS_LITTLE = 80;
/** Brackets as in "bulkhead(limit[, queue])" and "[@acme/kelm][]". */
const SQUARE_BRACKETS = /\[\]|[[\]]/g;

/** The headings put before the quotations of one report. */
export class QuotationTitles {
  /** The paths of the documents with a section of this own heading, and of this whole title. */
  private readonly ofHeading: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly ofTitle: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(sections: readonly QuotedSection[]) {
    this.ofHeading = pathsBy(sections, ({ title }) => headingOf(title));
    this.ofTitle = pathsBy(sections, ({ title }) => title);
  }

  /**
   * Adds the heading in brackets, as editors do: "Defines the maximum payload" does not say which option, and text below "Not allowed" may otherwise
   * say the opposite.
   */
  before(text: string, section: QuotedSection): string {
    const distinguishing = this.distinguishing(section);
    if (distinguishing !== undefined) return `[${inBrackets(distinguishing)}] ${text}`.trim();
    const { title } = section;
    // Code without a lead-in has no other words, so the full title is used: "Request › Introduction" says more than "Introduction".
    const isNeededInFull = text === '' || title.split(BETWEEN_LEVELS).slice(0, -1).some(forbids);
    const shown = inBrackets(isNeededInFull ? title : headingOf(title));
    const isNeeded = shown !== '' && (shown.length <= MAX_NAME || text.length < SAYS_LITTLE || forbids(shown));
    if (!isNeeded) return text;
    const [first] = splitSentences(text);
    return first?.text.toLowerCase().includes(shown.toLowerCase()) ? text : `[${shown}] ${text}`.trim();
  }

  /**
   * Where sections of different documents have the same heading, such as "Installation", what tells them apart: the heading above or, for versions of
   * one document, the name of the file.
   */
  private distinguishing({ path, title }: QuotedSection): string | undefined {
    const heading = headingOf(title);
    if (title === '' || !isShared(this.ofHeading.get(heading))) return undefined;
    return isShared(this.ofTitle.get(title)) ? `${fileNameOf(path)}${BETWEEN_LEVELS}${heading}` : title;
  }
}

const headingOf = (title: string): string => title.split(BETWEEN_LEVELS).at(-1) ?? '';
const inBrackets = (title: string): string => title.replace(SQUARE_BRACKETS, '');

function pathsBy(sections: readonly QuotedSection[], key: (section: QuotedSection) => string): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([...Map.groupBy(sections, key)].map(([name, all]) => [name, new Set(all.map(({ path }) => path))]));
}

const isShared = (paths: ReadonlySet<string> | undefined): boolean => (paths?.size ?? 0) > 1;

function fileNameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
