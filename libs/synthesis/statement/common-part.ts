import { COLON, SPACE } from '@lib/language/reading/characters';
import type { Enumeration } from '@lib/language/reading/enumerations';
import { gappedClauseIn } from '@lib/language/reading/gapped-clause';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import { LIMITING } from '@lib/language/reading/function-words';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { commonItemsOf, type CommonItems } from './common-items';
import {
  ADJOINING,
  beginsAdjunct,
  chunksOf,
  completesPair,
  givesExamples,
  isModifier,
  leavesOpen,
  mayBeLeftOut,
  mayTellOfNoun,
  restricts,
  turns,
} from './left-out';
import { fillsSamePlace, mayBothHold, type Stretch } from '../difference/leftover';
import { isAmong, meanTheSame } from '../alignment/same-word';

/** A piece kept of a text: a stretch of its words, and the common items of a list at its end. */
export interface Piece extends Stretch {
  listed: CommonItems | null;
}

/** A part of a sentence, with the sentence's subject and the part's lists. */
interface PartOfSentence {
  reading: Reading;
  part: Stretch;
  subject: Stretch;
  lists: readonly Enumeration[];
}

const MIN_KEPT = 4;

/**
 * What a part of a sentence, after its subject, shares with another sentence, leaving out additional information in between: where, when, by whom, of
 * what kind. Null if nothing can be left out, or if the rest need not hold by itself.
 */
export function commonPartOf({ reading: mine, part, subject, lists }: PartOfSentence, yours: Reading): Piece[] | null {
  if (mine.hasNegation || yours.hasNegation) return null;
  const { tokens } = mine;
  const start = part.from === 0 ? subject.from : part.from;
  const chunks = chunksOf(tokens, { from: start, to: part.to }, part.from === 0 ? subject.to : part.from + 1, lists);
  const kept = new KeptPieces(mine, yours, lists);
  for (const [place, chunk] of chunks.entries()) if (!kept.add(chunk, place === 0)) return null;
  const { pieces, dropped } = kept;
  if (dropped.length === 0 || pieces.reduce((sum, { from, to }) => sum + to - from, 0) < MIN_KEPT) return null;
  if (pieces.some(({ from, to }) => tokens.slice(from, to).some(restricts))) return null;
  if (mine.tense === 'present' && dropped.some(({ from }) => LIMITING.has(textAt(tokens, from)))) return null;
  // Text after a colon is not shortened: "Two are in use: A, made in Rome, and B".
  const colon = tokens.findIndex(({ before }, at) => at > start && at < part.to && (before & COLON) !== 0);
  if (colon >= 0 && dropped.some(({ to }) => to > colon)) return null;
  if (joinsOtherSubject(mine, kept)) return null;
  if (part.from === 0 && subject.from > 0) dropped.push({ from: 0, to: subject.from });
  return mayBothHold(mine, yours, dropped) && !fillsSamePlace(mine, yours, dropped) ? pieces : null;
}

/** Whether what is said of a second subject, without a verb of its own, would be joined to the first. */
function joinsOtherSubject(mine: Reading, { pieces, dropped }: KeptPieces): boolean {
  const clause = gappedClauseIn(mine);
  return clause !== null && pieces.some(({ to }) => to > clause.subject) && dropped.some(({ from }) => from < clause.behind);
}

class KeptPieces {
  readonly pieces: Piece[] = [];
  readonly dropped: Stretch[] = [];
  private isDropping = false;
  /** Whether the omitted part gives examples; then the text up to the next verb belongs to the last of them. */
  private dropsExamples = false;
  /** Whether the omitted part has a noun that the next words may describe. */
  private dropsNoun = false;

  constructor(
    private readonly mine: Reading,
    private readonly yours: Reading,
    private readonly lists: readonly Enumeration[],
  ) {}

  /** False if the chunk can neither be kept nor left out. */
  add(chunk: Stretch, isFirst: boolean): boolean {
    const { tokens } = this.mine;
    const words = tokens.slice(chunk.from, chunk.to);
    this.dropsNoun = this.isDropping && words[0]?.before === SPACE && (this.dropsNoun || mayTellOfNoun(tokens, chunk.from));
    this.dropsExamples = this.isDropping && this.dropsExamples;
    const isApart = beginsAdjunct(words[0]) && !this.dropsNoun && !this.dropsExamples;
    const belongsToDropped = this.isDropping && !isApart && !isFiniteVerbAt(tokens, chunk.from);
    if (!belongsToDropped && (!this.isDropping || hasSameLead(words, this.yours)) && this.keep(chunk, isFirst)) {
      this.isDropping = false;
      return true;
    }
    if (words.some(turns) || leavesOpen(tokens, chunk) || completesPair(tokens, chunk, this.pieces.at(-1))) return false;
    if (!belongsToDropped && !mayBeLeftOut(tokens, chunk)) return false;
    this.dropped.push(chunk);
    this.isDropping = true;
    this.dropsExamples ||= givesExamples(words);
    return true;
  }

  private keep({ from, to }: Stretch, isFirst: boolean): boolean {
    const { tokens } = this.mine;
    const list = this.isSaidFrom(from, to) ? [] : this.lists.filter(({ items }) => (items[0]?.from ?? 0) > from && items.at(-1)?.to === to);
    const [listed = null] = list.length === 0 ? [] : commonItemsOf(this.mine, list, this.yours);
    const end = listed ? listed.first.from : to;
    const modifiers: number[] = [];
    for (let at = from; at < end; at += 1) {
      const token = tokens[at];
      if (!token || this.isSaid(token)) continue;
      if (isModifier(tokens, at)) modifiers.push(at);
      else if (!isFirst) return false;
    }
    let begin = from;
    for (const at of modifiers) {
      this.push({ from: begin, to: at, listed: null });
      this.dropped.push({ from: at, to: at + 1 });
      begin = at + 1;
    }
    this.push({ from: begin, to, listed });
    return true;
  }

  private push(piece: Piece): void {
    const last = this.pieces.at(-1);
    if (last?.to === piece.from && !last.listed) this.pieces.splice(-1, 1, { ...piece, from: last.from });
    else this.pieces.push(piece);
  }

  private isSaidFrom(from: number, to: number): boolean {
    return this.mine.tokens.slice(from, to).every((token) => this.isSaid(token));
  }

  private isSaid(token: Token): boolean {
    return token.word.isStopWord || isAmong(token, this.yours.tokens);
  }
}

/** Whether the words have the same preposition in the other sentence. */
function hasSameLead(words: readonly Token[], { tokens }: Reading): boolean {
  const [lead] = words;
  if (!beginsAdjunct(lead)) return true;
  const head = words.find(({ word }) => !word.isStopWord);
  const at = head ? tokens.findIndex(({ word }) => meanTheSame(head.word, word)) : -1;
  const before = tokens.slice(Math.max(0, at - 4), Math.max(0, at)).findLast(({ word }) => ADJOINING.has(word.text) || word.text === 'of');
  return before?.word.text === lead?.word.text;
}
