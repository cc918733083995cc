import { splitSentences } from '@lib/language/sentences';

import { markOf } from '../formats/lists';
import type { Unit } from './unit';

const MAX_SECTION_LENGTH = 1_000;

/** Adds a short section without code or tables as one whole unit, because its first lines often make sense only together. */
export function withWhole(units: Unit[]): Unit[] {
  const parts = units.filter(({ kind }) => kind !== 'list');
  const isShort = parts.reduce((sum, { text }) => sum + text.length, 0) <= MAX_SECTION_LENGTH;
  if (!isShort || parts.some(({ kind }) => kind === 'code' || kind === 'row')) return units;
  return [...stretchesOf(parts).flatMap(wholeOf), ...units];
}

/** Divides after each list. In one line its end is invisible, and of two lists one may say what is allowed and the other what is not. */
function stretchesOf(parts: readonly Unit[]): Unit[][] {
  const stretches: Unit[][] = [];
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    const endsList = before?.kind === 'item' && (part.kind !== 'item' || part.list !== before.list);
    if (before && !endsList) stretches.at(-1)?.push(part);
    else stretches.push([part]);
  }
  return stretches;
}

function wholeOf(parts: readonly Unit[]): Unit[] {
  const [first] = parts;
  if (!first || parts.length < 2) return [];
  const top = Math.min(...parts.flatMap(({ kind, introduction }) => (kind === 'item' ? introduction.length : [])));
  const sentences: string[] = [];
  for (const [at, part] of parts.entries()) sentences.push(...goingOn(part, parts[at - 1], sentences.join(' '), top));
  const endLine = parts.at(-1)?.endLine ?? first.endLine;
  const { list: _, step: __, ...place } = first;
  return [{ ...place, kind: 'prose', isWhole: true, sentences, text: sentences.join(' '), above: '', introduction: [], endLine }];
}

/** The sentences of a part; for an item, after the lines that introduce it unless these were said already. */
function goingOn({ kind, sentences, introduction, startLine, step }: Unit, before: Unit | undefined, said: string, top: number): string[] {
  if (kind !== 'item' || (before?.kind === 'item' && before.startLine === startLine)) return sentences;
  const [beginning = '', ...rest] = sentences;
  const lines = introduction
    .map((line, depth) => ({ line: notYetSaid(line, said), depth: depth + 1 - top }))
    .filter(({ line }) => line !== '');
  const own = step === undefined ? marked(beginning, introduction.length + 1 - top) : `${markOf(step)} ${beginning}`;
  return [...lines.map(({ line, depth }) => marked(line, depth)), own, ...rest];
}

/** The lead-in of a list may repeat the sentence before it. */
const notYetSaid = (line: string, said: string): string =>
  splitSentences(line)
    .map(({ text }) => text)
    .filter((sentence) => !said.includes(sentence))
    .join(' ');

const MARKS = ['', '• '];

/** Adds the bullet of an item or of a nested item; the lead-in of a list has none. */
const marked = (line: string, depth: number): string => `${MARKS[depth] ?? '◦ '}${line}`;
