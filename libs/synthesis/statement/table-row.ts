import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { BETWEEN_CELLS, type Cells } from '../sentences/quotes';
import { namesWhich } from '../subject/heading';
import { inWords, statesNothing, withUnit } from './cell-words';
import { NO_CLAUSES, statementFrom, type ReadReport, type ReadSentence, type Statement } from './statement';

/** In UTF-16 units. Limited because a head is read again with each of its cells. */
const MAX_HEAD_LENGTH = 80;
const MAX_HEADS_LENGTH = 600;

/** Column heads without information. */
const SAYS_NOTHING =
  /^$|^(?:details?|values?|information|info|descriptions?|notes?|answers?|comments?|remarks?|facts?)\b|^(?:events?|milestones?|developments?|what (?:happens|happened|changes|changed))$|^(?:what|how|why)(?: (?:it|this|that) (?:is|means|does))?\??$/i;
/** Heads that the cells below complete: "If you…", with "hate crowds" below. "When" alone stands above times. */
const BEGINS_SENTENCE = /^(?:if|when(?= )|for)\b/i;
const OF_READER = /^you$/i;
const LEFT_OPEN = /\s*(?:…|\.\.\.)$/;
/** A rank: "1.", "No. 3". */
const RANK = /^(?:#|no\.?\s*)?\d{1,3}(?:st|nd|rd|th|\.)?$/i;
/** Whether a cell only has a rank. */
export const isRank = (cell: string): boolean => RANK.test(cell);
/** Heads of ranks that add nothing to the number; "Step 2" does. */
const COUNTS = /^(?:#|no\.?|nr\.?|rank|position|place)$/i;
/** Heads of a first column that names the measures, so the table's heading tells them no better. */
const NAMES_MEASURES = /^(?:metrics?|measures?|indicators?|items?|line items?|key figures?|figures?|kpis?|parameters?)$/i;
/** Headings of a table with several measures. */
const OF_SEVERAL = /\b(?:key (?:figures|numbers|metrics|results)|at a glance|in (?:figures|numbers)|highlights)\b/i;
/** A time: "2023", "Q1 2024", "FY24", "Mar 2024", "2023/24". */
const TIME =
  /^(?:(?:q[1-4]|h[12]|fy|jan\p{L}*|feb\p{L}*|mar\p{L}*|apr\p{L}*|may|june?|july?|aug\p{L}*|sep\p{L}*|oct\p{L}*|nov\p{L}*|dec\p{L}*)\.?[ /-]*)?\d{4}(?:[ /–-]+(?:q[1-4]|h[12]|\d{2,4}))?$|^(?:q[1-4]|h[12]|fy)[ /-]*\d{2}$/iu;

/** The information in a row's columns. */
interface Row {
  /** The first cell, and the second one if the first is a rank, a time, or the beginning of other rows too. */
  about: readonly string[];
  /** It has a rank or a time but no name: "2023 | 10 | 12". */
  isNameless: boolean;
  /** The other cells that state something, each after its column head if there is one. */
  others: readonly string[];
  /** All cells, including those that it is about; with a single value only that one. */
  whole: readonly string[];
}

/** @param above the headings of the table, innermost last; they tell what a figure under a head such as "2023" measures */
function rowIn({ heads: written, own: cells, isNamedTwice }: Cells, above: readonly string[]): Row {
  const heads = written.map((head) => head.replace(LEFT_OPEN, ''));
  const own = withUnitOfRow(cells.map(inWords));
  const areShort = heads.every(({ length }) => length <= MAX_HEAD_LENGTH) && heads.join('').length <= MAX_HEADS_LENGTH;
  const caption = above.at(-1) ?? '';
  const tellsMeasure =
    caption !== '' && caption.length <= MAX_HEAD_LENGTH && !OF_SEVERAL.test(caption) && !NAMES_MEASURES.test(heads[0] ?? '');
  const behindHead = (bare: string, column: number): string => {
    const [head, cell] = withUnit(areShort ? (heads[column] ?? '') : '', bare);
    if (cell === '' || SAYS_NOTHING.test(head)) return cell;
    return tellsMeasure && TIME.test(head) ? `${caption}, ${head}: ${cell}` : `${head}: ${cell}`;
  };
  const [bareFirst = '', second = ''] = own;
  const first = areShort && bareFirst !== '' ? completed(heads[0] ?? '', bareFirst) : bareFirst;
  const isOrdered = RANK.test(first) || TIME.test(first);
  const hasName = isOrdered && /\p{L}/u.test(second) && !TIME.test(second) && !/\d/.test(second);
  const needsSecond = isNamedTwice && first !== '' && second !== '' && own.length > 2;
  const begins = hasName || needsSecond ? 2 : 1;
  const about = RANK.test(first) && hasName ? [second] : hasName || needsSecond ? [first, behindHead(second, 1)] : [first];
  const step =
    RANK.test(first) && areShort && !SAYS_NOTHING.test(heads[0] ?? '') && !COUNTS.test(heads[0] ?? '') ? `${heads[0] ?? ''} ` : '';
  const whole = own.map((cell, column) => (column === 0 ? step + first : behindHead(cell, column)));
  const isStated = (cell: string, column: number): boolean => cell !== '' && !statesNothing(own[column] ?? '');
  const others = whole.filter((cell, column) => column >= begins && isStated(cell, column));
  // Beside a single value, “Kestrel 3: –” would only lend it its name.
  const isSingle = others.length < 2;
  return { about, isNameless: isOrdered && !hasName, others, whole: isSingle ? [...whole.slice(0, begins), ...others] : whole };
}

/** "If you hate crowds" below the head "If you…"; "[You] hate crowds" below "You…". */
function completed(head: string, cell: string): string {
  if (OF_READER.test(head)) return `[${head}] ${cell}`;
  return BEGINS_SENTENCE.test(head) ? `${head} ${cell}` : cell;
}

/** The cells of “Revenue (€m) | 210 | 225” with the unit beside each number. */
function withUnitOfRow([first = '', ...others]: readonly string[]): string[] {
  const read = others.map((cell) => (cell === '' || statesNothing(cell) ? [first, cell] : withUnit(first, cell)));
  const isOfAll =
    read.some(([name]) => name !== first) &&
    read.every(([name], at) => name !== first || others[at] === '' || statesNothing(others[at] ?? ''));
  return isOfAll ? [read.find(([name]) => name !== first)?.[0] ?? first, ...read.map(([, cell]) => cell ?? '')] : [first, ...others];
}

/** The head of a cell; empty if unknown. Two cells can only contradict each other if their heads are equal. */
export const headOfCell = ({ text }: { text: string }): string => text.slice(0, Math.max(0, text.lastIndexOf(': '))).toLowerCase();

/** The content words of a row's first cell; none if it is not a row. */
export function firstCellOf({ tokens, text }: Pick<Reading, 'tokens' | 'text'>): Token[] {
  const end = text.indexOf(BETWEEN_CELLS);
  return tokens.filter((token) => token.end <= end && isContentWord(token));
}

/** A row as text: "Cycle life | LTO: 10,000 | NMC: 2,000". */
export function rowText(cells: Cells, above: readonly string[]): string {
  const { whole } = rowIn(cells, above);
  return whole.filter((cell) => cell !== '').join(BETWEEN_CELLS);
}

/** Divides a row of several columns into statements, since each column is about its own head. */
export function takeRowApart(statement: Statement, sentence: ReadSentence, cells: Cells, report: ReadReport): void {
  const { quote } = sentence;
  const { about, isNameless, others } = rowIn(cells, quote.above);
  statement.isUnknown = isNameless && !report.headings.hasTopic && !(statement.headings !== null && namesWhich(statement.headings));
  if (statement.isUnknown || about.join('') === '' || others.length < 2) return;
  const { citationIndexes } = statement;
  statement.clauses = others.map((cell) => {
    const { reading } = report.sentences.read([...about, cell].join(BETWEEN_CELLS));
    const said = { from: 0, end: quote.text.length, citationIndexes, text: reading.text, reading };
    const clause = statementFrom(said, sentence, report, statement.wording);
    clause.within = clause;
    return clause;
  });
}

/** Some of the statements that a row was divided into, as one. */
export function rowOfCells(row: Statement, cells: readonly Statement[]): Statement {
  const [first] = cells;
  if (!first) return row;
  const lastCell = ({ text }: Statement): string => text.slice(text.lastIndexOf(BETWEEN_CELLS));
  const text = first.text + cells.slice(1).map(lastCell).join('');
  const reading = readingOf(text);
  return { ...row, text, wording: reading.wording, reading, stems: reading.stems, clauses: NO_CLAUSES, parts: null, stretches: null };
}
