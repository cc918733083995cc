import { forbids } from '@lib/language/reading/forbids';

import type { ScoredUnit } from './scoring';
import { similarity } from '../index/terms';
import { areIntroducedAlike, type Unit } from '../units/unit';
import { tellOtherwise } from '../finding/versions';

/** Units that share more of their terms than this count as repetitions. */
const SAME = 0.7;

/** Whether two texts repeat each other, by their terms. */
export const areNearlySame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => similarity(one, other) > SAME;

/** The first units that repeat neither each other nor those already taken. */
export function distinct(units: readonly ScoredUnit[], most: number, taken: readonly ScoredUnit[]): ScoredUnit[] {
  const chosen: ScoredUnit[] = [];
  for (const unit of units) {
    if (chosen.length >= most) break;
    if (![...taken, ...chosen].some((other) => overlaps(other, unit) || repeats(other, unit))) chosen.push(unit);
  }
  return chosen;
}

/**
 * Rows of one table differ in some cell, so none repeats another; nor do two similar items if one is allowed and the other forbidden, or two versions
 * of a text that differ in a figure.
 */
function repeats(one: ScoredUnit, other: ScoredUnit): boolean {
  if (one.unit.kind === 'row' && one.passage === other.passage) return false;
  if (
    !areNearlySame(one.terms, other.terms) ||
    standsUnderDenial(one) !== standsUnderDenial(other) ||
    tellOtherwise(one.unit.text, other.unit.text)
  )
    return false;
  return areIntroducedAlike(one.unit, other.unit) || areNearlySame(one.quoted, other.quoted);
}

const standsUnderDenial = ({ passage }: ScoredUnit): boolean => passage.headings.some(forbids);

/** Whether two units share text of the document. */
export function overlaps(one: ScoredUnit, other: ScoredUnit): boolean {
  if (one.passage.document.path !== other.passage.document.path || one.unit.page !== other.unit.page) return false;
  if (isCutIn(one.unit, other.unit) || isCutIn(other.unit, one.unit)) return false;
  const [start, end] = [one.unit.startLine === other.unit.startLine, one.unit.endLine === other.unit.endLine];
  // Pieces of one long paragraph share its lines.
  if (start && end && one.unit.kind === other.unit.kind)
    return one.unit.text.includes(other.unit.text) || other.unit.text.includes(one.unit.text);
  return one.unit.startLine <= other.unit.endLine && other.unit.startLine <= one.unit.endLine;
}

/** A list does not replace the code of its steps, nor a long list, of which only the beginnings are quoted, a whole item. */
function isCutIn({ kind, sentences, code }: Unit, list: Unit): boolean {
  if (list.kind !== 'list') return false;
  if (kind === 'code') return code !== undefined && !list.text.includes(code.text);
  return kind === 'item' && !sentences.every((sentence) => list.text.includes(sentence.replace(/^• /, '')));
}
