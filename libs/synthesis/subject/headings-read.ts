import { MODERN_YEAR } from '@lib/language/reading/numeral';
import { germanFormWords } from '@lib/language/german';
import { genderOfGivenName, isKnownName } from '@lib/language/known-words';
import { reversingOf } from '@lib/language/reading/lexicon';
import { readingOf } from '@lib/language/reading/read-text';
import { Reading } from '@lib/language/reading/reading';
import { lookUp } from '@lib/language/reading/word';
import { hasCommaBefore, type Token } from '@lib/language/reading/token';
import type { Abbreviations } from './abbreviations';
import { isAbstract, isAspect } from './aspects';
import { topicOf } from './question-topic';
import type { Heading, Headings, HeadingsOfReport } from './heading';
import { listedIn } from './listed';
import { PARTICLES } from './opening';

/** Numbering before a heading: "2.", "2.1 Overview", "IV)", "Step 3:", "Q2.", but not the version in "3.13 and 3.14". */
const NUMBERING =
  /^(?:\d{1,2}(?:\.\d{1,2}){1,3}\s+(?=[\p{Lu}\p{N}])|\(?(?:\d{1,3}(?:\.\d{1,3})*|[ivxIVX]{1,5}|[a-zA-Z])[.):]\s+|(?:[Oo]ption|[Ss]tep|[Pp]art|[Ss]ection|[Nn]o\.?|[Qq]|[Qq]uestion)\s*\d{1,2}\s*[.:)–-]\s+|#\d+\s+)/u;
/** The end punctuation of a heading, but not the full stop of an abbreviation: "Kelm Inc." */
const ENDING = /(?:\s|:|(?<!\b(?:inc|corp|co|ltd|\p{L}))\.)+$/iu;
const withoutEnding = (heading: string): string => heading.replace(ENDING, '');
/** "Costs.", "Costs:" and "Costs" as "Costs:", and "Who pays?" as it is. */
export const asLabel = (heading: string): string => withoutEnding(heading).replace(/(?<![?!])$/, ':');
const QUESTION = /^(?:what|which|who|whom|whose|how|why|when|where|is|are|was|were|does|do|did|can|could|should|will|would)\b/i;
/** Words before a number that is not a name: "Top 5", "Table 1". */
const COUNTING = new Set('top best key main the these our first last next section chapter table figure step point'.split(' '));
const SMALL_WORD = /(?<![\p{L}\p{N}’'-])\p{Ll}[\p{L}\p{N}’'-]*/gu;
/** A capitalised word after a lower-case one, so its capital is not that of a sentence's beginning. */
const INNER_NAME = /(?<=[\p{Ll},;]\s)\p{Lu}[\p{L}\p{N}’'-]*/gu;
/** Headings, bold text and table rows, where any word may be capitalised. */
const IN_TITLE_CASE = /^[ \t]*(?:#|\|).*$|(\*\*?|__?)[^*_\n]{1,80}\1/gmu;
/** Years of life in a heading: "Grace Hopper (1906–1992)", "Ada Roth (born 1951)". */
const LIFE = /\((?:b\.|born)?\s?1\d{3}(?:\)|\s?[–-])/;
const MAX_SHOWN_LENGTH = 60;

/** Reads the headings of a report. A word that the report also writes in lower case is not a name. */
export class HeadingsRead {
  private readonly known = new Map<string, Headings>();
  private readonly levels = new Map<string, Heading>();
  private readonly ofReport: HeadingsOfReport = { byKey: new Map(), listNames: null };
  private readonly topic: ReadonlySet<string>;
  /** Stems of the things listed in the question: "Compare metformin and semaglutide". */
  private readonly listed: ReadonlySet<string>;
  /** Cached, because most sentences have the same headings as the one before. */
  private last: { above: readonly string[]; found: Headings | null } = { above: [], found: null };
  private small: ReadonlySet<string> | undefined;
  private inner: ReadonlySet<string> | undefined;

  /** Pass the whole report. */
  constructor(
    question: Reading,
    private readonly report: string,
    private readonly abbreviations: Abbreviations,
  ) {
    this.listed = listedIn(question);
    this.topic = new Set(topicOf(question)?.name.map(({ word }) => word.stem)).difference(this.listed);
  }

  /** Whether the question names a single topic. */
  get hasTopic(): boolean {
    return this.topic.size > 0;
  }

  /** Pass the headings above a sentence, outermost first. @returns null if there are none */
  over(above: readonly string[]): Headings | null {
    if (above.length === 0) return null;
    if (above !== this.last.above) this.last = { above, found: this.find(above) };
    return this.last.found;
  }

  private find(above: readonly string[]): Headings | null {
    const text = above.join('\n');
    let headings = this.known.get(text);
    if (!headings) {
      const levels = above.map((text) => this.read(text)).filter(({ stems }) => stems.size > 0);
      for (const level of levels) this.ofReport.byKey.set(level.key, level);
      headings = {
        levels,
        key: levels.flatMap(({ isAspect: isSide, key: own }) => (isSide ? [] : [own])).join('\n'),
        names: levels.filter(({ names }) => names.length > 0),
        days: levels.flatMap(({ days }) => days),
        opposed: levels.flatMap(opposedIn),
        items: levels.filter(({ isAspect: isSide, isNaming }) => !isSide && !isNaming),
        stems: new Set(levels.flatMap(({ stems }) => [...stems])),
        ofReport: this.ofReport,
        hasTopic: this.hasTopic,
        elsewhere: null,
      };
      this.known.set(text, headings);
    }
    return headings.levels.length === 0 ? null : headings;
  }

  /** Reads each heading once, because it may stand above several others. */
  private read(heading: string): Heading {
    let level = this.levels.get(heading);
    if (!level) this.levels.set(heading, (level = this.readOnce(heading)));
    return level;
  }

  private readOnce(heading: string): Heading {
    const text = withoutEnding(heading.replace(NUMBERING, ''));
    const open = text.search(/\s*[([]/);
    const main = this.abbreviations.inFull(readingOf(open > 0 ? text.slice(0, open) : text));
    const aliases = open > 0 ? this.abbreviations.inFull(readingOf(text.slice(open))).stems : NOTHING;
    const named = this.namesIn(main);
    const told = new Set(main.tokens.filter((token, at) => says(token, at)).map(({ word }) => word.stem));
    const stems = new Set([...told, ...aliases]);
    return {
      text: text.length > MAX_SHOWN_LENGTH && open > 0 ? main.text : text,
      key: [...told].sort().join(' '),
      told,
      stems,
      names: named.map(({ word }) => word.stem).filter((stem) => !this.topic.has(stem)),
      aliases,
      name: nameAlone(main, named),
      isSure: named.some((token) => this.isSurely(token, main.tokens)) || isKnown(main, named) || LIFE.test(text),
      isNaming: named.length > 0,
      isAspect: QUESTION.test(text) || [...told].every(isAspect),
      days: main.dates.filter(({ month }) => month !== null),
    };
  }

  private namesIn({ text, tokens }: Reading): Token[] {
    const mayBeAny = !isInSentenceCase(tokens) && !QUESTION.test(text);
    return tokens.filter((token, at) => {
      const { word, isCapitalised } = token;
      if (!says(token, at) || isAspect(word.stem)) return false;
      if (this.isSurely(token, tokens)) return true;
      return mayBeAny && isCapitalised && !word.hasDigit && !this.smallStems.has(word.stem) && !isAbstract(word.text);
    });
  }

  private isSurely(token: Token, tokens: readonly Token[]): boolean {
    const { word, isCapitalised } = token;
    const before = tokens[tokens.indexOf(token) - 1];
    if (word.hasDigit)
      return (
        MODERN_YEAR.test(word.text) ||
        word.isIdentifier ||
        word.text.includes('.') ||
        (before !== undefined && !COUNTING.has(before.word.text))
      );
    if (this.listed.has(word.stem) || (word.text.length === 1 && before !== undefined)) return true;
    if (!isCapitalised) return false;
    if (isKnownName(word.text) || (before && isInSentenceCase(tokens))) return true;
    return this.innerNames.has(word.text) && !this.smallStems.has(word.stem);
  }

  /** Stems of the words that the report writes in lower case somewhere. */
  private get smallStems(): ReadonlySet<string> {
    return (this.small ??= new Set(Array.from(new Set(this.report.match(SMALL_WORD)), (word) => lookUp(word).stem)));
  }

  /** The words capitalised within a sentence, in lower case. */
  private get innerNames(): ReadonlySet<string> {
    return (this.inner ??= innerNamesOf(this.report.replace(IN_TITLE_CASE, '')));
  }
}

const opposedIn = ({ isAspect: isSide, told }: Heading): Headings['opposed'] =>
  isSide ? [] : [...told].flatMap((stem) => (reversingOf(stem).length > 0 ? [{ stem, others: reversingOf(stem) }] : []));

/**
 * Whether a heading is not in title case. Short lower-case words do not count, because other languages have them in titles too: "Situación del
 * Mercado".
 */
const isInSentenceCase = (tokens: readonly Token[]): boolean =>
  tokens.some(({ word, isCapitalised }) => !isCapitalised && !word.isStopWord && !word.hasDigit && word.text.length > MAX_SMALL_LENGTH);
const MAX_SMALL_LENGTH = 3;

/** Whether a word distinguishes a heading, including single letters: "Scenario A" and "Scenario B". */
const says = ({ word, isCapitalised }: Token, at: number): boolean =>
  !word.isStopWord || (isCapitalised && word.text.length === 1 && at > 0);

/** Whether some words are a known name: "New York", "Grace Hopper". */
function isKnown({ text }: Reading, named: readonly Token[]): boolean {
  const [first, last] = [named[0], named.at(-1)];
  if (!first || !last) return false;
  const name = text.slice(first.start, last.end).toLowerCase();
  return isKnownName(name) || (named.length > 1 && named.some(isGivenName));
}

/** Empty for a German text, in which all nouns are capitalised. */
const innerNamesOf = (text: string): ReadonlySet<string> =>
  germanFormWords(text).size > 0 ? NOTHING : new Set((text.match(INNER_NAME) ?? []).map((word) => word.toLowerCase()));

const isGivenName = ({ word }: Token): boolean => genderOfGivenName(word.text) !== undefined;

const NOTHING: ReadonlySet<string> = new Set();

/** Null if the heading says something else too, or names two. "Hopper, Grace" is read as Grace Hopper. */
function nameAlone(heading: Reading, named: readonly Token[]): Reading | null {
  const { text, tokens } = heading;
  const [first, last] = [named[0], named.at(-1)];
  if (!first || !last || first.word.hasDigit || tokens[0] !== first) return null;
  const isOther = ({ word }: Token): boolean => word.text === 'and' || word.text === 'vs' || word.text === 'versus' || word.text === 'or';
  const rest = tokens.slice(tokens.indexOf(last) + 1);
  if (tokens.some(isOther) || !rest.every(({ word }) => COMPANY.has(word.text))) return null;
  const own = tokens.slice(0, tokens.indexOf(last) + 1);
  if (own.some((token) => !named.includes(token) && !INSIDE_NAME.has(token.word.text))) return null;
  const comma = own.findIndex(hasCommaBefore);
  const given = own[comma];
  if (given && comma > 0 && isGivenName(given))
    return readingOf(`${text.slice(given.start, last.end)} ${text.slice(0, own[comma - 1]?.end)}`);
  return given ? null : new Reading(text.slice(0, last.end), own);
}

const COMPANY = new Set('inc corp corporation co company ltd llc plc gmbh ag se sa nv group holdings'.split(' '));
/** Words inside a name: "Center for Science in the Public Interest". */
const INSIDE_NAME = PARTICLES.union(new Set(['for', 'in']));
