import type { Clause } from '@lib/language/reading/clauses';
import { earlyEndsOf } from '@lib/language/reading/early-ends';
import { enumerationsIn, type Enumeration } from '@lib/language/reading/enumerations';
import { gappedClauseIn } from '@lib/language/reading/gapped-clause';
import type { ListItem } from '@lib/language/reading/list-items';
import { readingOf } from '@lib/language/reading/read-text';
import { wordsAlone } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { placeInQuote } from '../sentences/citation-marks';
import { completed, textOfPieces } from './clause-text';
import { commonPartOf } from './common-part';
import { commonItemsOf, withItems, type CommonItems } from './common-items';
import { closedAt, hasMarksInPairs } from './marks';
import {
  startOf,
  statementFrom,
  type Beginning,
  type PartsOfStatement,
  type ReadReport,
  type ReadSentence,
  type ShorterList,
  type Statement,
} from './statement';
import { isWholeSentence } from './whole-sentence';

/**
 * The parts of a clause that state something without the rest. A class instead of closures, because what closures in statements refer to lives on
 * until a full collection, which made garbage collection in a small job five times as expensive.
 */
export class StatementParts implements PartsOfStatement {
  private known: readonly Enumeration[] | null = null;

  constructor(
    private readonly clause: Clause,
    private readonly statement: Statement,
    private readonly sentence: ReadSentence,
    private readonly report: ReadReport,
  ) {}

  beginnings(): Beginning[] {
    const { reading } = this.sentence;
    if (isInPairs(reading)) return [];
    const { lists } = this;
    return earlyEndsOf(reading, this.clause)
      .filter(({ to }) => !lists.some((list) => dividesList(list, to) || list.items.some((item) => dividesName(reading, item, to))))
      .map((early) => ({
        stems: wordsAlone(reading, this.clause.from, early.to).stems,
        isClosed: early.isClosed,
        read: () => this.statementTo(early),
      }));
  }

  withCommonItems(other: Reading): ShorterList[] {
    const { reading, plain } = this.sentence;
    // The words of a table row do not stand in the text as they were read.
    if (reading.text !== plain.text || isInPairs(reading)) return [];
    const { from } = this.clause;
    return commonItemsOf(reading, this.lists, other).map((items) => ({
      lead: wordsAlone(reading, from, items.first.from).stems,
      read: () => this.statementWith(items),
    }));
  }

  commonPart(other: Reading): Statement | null {
    const { reading, plain, reference } = this.sentence;
    if (reading.text !== plain.text) return null;
    const subject = { from: reference.at, to: reference.to };
    const kept = commonPartOf({ reading, part: this.clause, subject, lists: this.lists }, other);
    const last = kept?.at(-1);
    if (!kept || !last) return null;
    const text = textOfPieces(reading, kept);
    if (text === null) return null;
    const from = this.clause.from === 0 ? subject.from : this.clause.from;
    const shorter = readingOf(text);
    const quotedTo = closedAt(reading.text, reading.tokens[last.to - 1], reading.tokens[last.to]);
    return this.shortened(shorter, text, { from, to: shorter.tokens.length, end: text.length }, quotedTo);
  }

  private get lists(): readonly Enumeration[] {
    return (this.known ??= this.readLists());
  }

  /** “Scotland in 2006 and England in 2007” behind “Norway followed in June” are further clauses, and no list of what Norway followed. */
  private readLists(): Enumeration[] {
    const { reading } = this.sentence;
    const second = gappedClauseIn(reading)?.subject ?? -1;
    const lists = enumerationsIn(reading, this.clause.from, this.clause.to);
    return lists.filter(({ items }) => !items.some(({ from, to }) => from <= second && second < to));
  }

  private statementTo({ to, end }: { to: number; end: number }): Statement | null {
    const { reading, plain } = this.sentence;
    return this.shortened(reading, plain.text, { from: this.clause.from, to, end }, end);
  }

  private statementWith(items: CommonItems): Statement | null {
    const text = withItems(this.sentence.plain.text, items);
    if (!hasMarksInPairs(text)) return null;
    const reading = readingOf(text);
    return this.shortened(reading, text, { from: this.clause.from, to: reading.tokens.length, end: text.length }, items.last.end);
  }

  /** @param quotedTo the end of the part of the sentence that it rests on */
  private shortened(whole: Reading, plainText: string, clause: Clause, quotedTo: number): Statement | null {
    const { quote, plain, reference } = this.sentence;
    const { text, reading } = completed(clause, whole, plainText, reference);
    if (text === '' || !hasMarksInPairs(text) || !isWholeSentence(reading)) return null;
    const { citationIndexes, wording } = this.statement;
    const end = placeInQuote(plain, quotedTo, quote.text);
    const said = { from: startOf(this.clause, this.sentence), end, citationIndexes, text, reading };
    return statementFrom(said, this.sentence, this.report, wording);
  }
}

/** Whether a cut would divide a name such as "Hunt for the Crane". */
const dividesName = ({ tokens }: Reading, { from, to }: ListItem, at: number): boolean =>
  at > from && at < to && tokens[from]?.isCapitalised === true && tokens.slice(at, to).some(({ isCapitalised }) => isCapitalised);

/**
 * Whether a cut at this index divides a list. An open list may end after its first item and within its last, since its other items are additional.
 */
function dividesList({ items, isClosed }: Enumeration, at: number): boolean {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return false;
  return isClosed ? at > first.from && at < last.to : at > first.to && at <= last.from;
}

/** "Ada and Bea won gold and silver respectively": no item of such lists can stand alone. */
const isInPairs = ({ tokens }: Reading): boolean => tokens.some(({ word }) => word.text === 'respectively');
