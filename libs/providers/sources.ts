import type { Citation } from '@lib/domain/citation';

import { applyEdits, firstWhere, type Edit, type EditedText } from './edits';
import { scanTokens, type Token } from './marks';
import { SourceRegister, type GivenSource, type Source } from './source-register';
import { inUtf16Units } from './span-units';

/** A source of a part of the text, in UTF-16 units, end exclusive; both null if the provider names no part. */
export interface Annotation extends GivenSource {
  startIndex: number | null;
  endIndex: number | null;
}

export interface CitedText {
  markdown: string;
  citations: Citation[];
}

interface Span {
  start: number;
  end: number;
  source: Source;
}

/** An edit that writes the marks of these sources, in this order. */
interface Marking extends Edit {
  sources: Source[];
}

/** Limits the time that hostile input can take, and keeps the number of citations below the limit of a report. */
export const MAX_ANNOTATIONS = 1500;
const MAX_NUMBERED = 500;
/** A mark is placed before the end of its sentence, cell or line. */
const CLOSING = /[\s.,;:!?。！？、|]/;
const MAX_CLOSING = 20;

/**
 * Brings a provider's text and its sources into one form: each source once, numbered by first mention, with a mark `[n]` wherever the
 * provider cited it. Marks of the text without a known source are escaped, so that they cannot be mistaken for ours. Sources without a
 * position in the text count only if there are no others.
 * @param numbered sources of the provider's own marks `[1]`, `[2]` …
 * @param documents whether the text may cite local documents. False for APIs: they have read none, so what they cite from one would be invented
 */
export function citeSources(
  text: string,
  annotations: readonly Annotation[],
  numbered: ReadonlyMap<number, GivenSource> = new Map(),
  documents = false,
): CitedText {
  const register = new SourceRegister(documents);
  const sources = new Map([...numbered].slice(0, MAX_NUMBERED).map(([number, given]) => [number, register.add(given)]));
  const spans = inUtf16Units(text, annotations.slice(0, MAX_ANNOTATIONS)).flatMap((annotation) => spanOf(annotation, text, register));
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  const byEnd = spans.toSorted((a, b) => a.end - b.end);
  const tokens = scanTokens(text);
  const replaced = tokens.flatMap((token) => replacementOf(token, byEnd, sources, register));
  const markings = [...replaced, ...insertionsFor(spans, tokens, replaced, text)];
  markings.sort((a, b) => a.start - b.start || a.end - b.end);
  for (const marking of markings) write(marking, text, register);
  const edited = applyEdits(text, markings);
  const cited = citationsOf(spans, markings, edited);
  if (cited.length > 0) return { markdown: edited.text, citations: cited };
  for (const source of register.all()) register.mark(source);
  return { markdown: edited.text, citations: register.all().map((source) => citationOf(source, null, null)) };
}

/** Always registers the source; empty if it has no position in the text. */
function spanOf(annotation: Annotation, text: string, register: SourceRegister): Span[] {
  const source = register.add(annotation);
  const { startIndex: start, endIndex: end } = annotation;
  if (!source || start === null || end === null || !Number.isSafeInteger(start) || !Number.isSafeInteger(end)) return [];
  return start >= 0 && start < end && end <= text.length ? [{ start, end, source }] : [];
}

/** The edit of a token; empty if it stays. */
function replacementOf(
  token: Token,
  byEnd: readonly Span[],
  numbered: ReadonlyMap<number, Source | undefined>,
  register: SourceRegister,
): Marking[] {
  const { start, end } = token;
  switch (token.kind) {
    case 'code':
      return [];
    case 'link': {
      const source = token.aside ? register.find(token.url) : undefined;
      return source ? [{ start, end, text: '', sources: [source] }] : [];
    }
    case 'linkedNumber': {
      const source = register.find(token.url);
      return [{ start, end, text: `[\\[${token.number}\\]](${token.url})`, sources: source ? [source] : [] }];
    }
    case 'numbers': {
      const own = token.numbers.flatMap((number) => numbered.get(number) ?? []);
      return [{ start, end, text: '', sources: unique(own.length > 0 ? own : sourcesEndingIn(token, byEnd)) }];
    }
  }
}

/** The sources of spans that end inside or at the end of the token: providers include their own mark in the annotated text. */
function sourcesEndingIn({ start, end }: Token, byEnd: readonly Span[]): Source[] {
  const first = firstWhere(byEnd, (span) => span.end > start);
  const last = firstWhere(byEnd, (span) => span.end > end);
  return byEnd.slice(first, last).map(({ source }) => source);
}

/** Marks for spans that do not have a mark of their source yet. */
function insertionsFor(spans: readonly Span[], tokens: readonly Token[], replaced: readonly Marking[], text: string): Marking[] {
  const bySource = markingsBySource(replaced);
  const insertions = new Map<number, Marking>();
  for (const span of spans) {
    const at = placeFor(span, tokens, text);
    const marking = markingAfter(span, bySource.get(span.source) ?? []);
    if (marking && marking.start <= Math.max(span.end, at) + 1) continue;
    const insertion = insertions.get(at) ?? { start: at, end: at, text: '', sources: [] };
    if (!insertion.sources.includes(span.source)) insertion.sources.push(span.source);
    insertions.set(at, insertion);
  }
  return [...insertions.values()];
}

/** The position of a span's mark: its end, but not inside a token or a character, and not after the end of the sentence. */
function placeFor({ start, end }: Span, tokens: readonly Token[], text: string): number {
  const token = tokens[firstWhere(tokens, (candidate) => candidate.end > end)];
  if (token && token.start < end) return token.end;
  let place = end;
  while (place > start + 1 && end - place < MAX_CLOSING && CLOSING.test(text.charAt(place - 1))) place -= 1;
  const splitsCharacter = /^[\uDC00-\uDFFF]/.test(text.charAt(place)) && /^[\uD800-\uDBFF]/.test(text.charAt(place - 1));
  return splitsCharacter ? place + 1 : place;
}

/** The first marking of the span's source at or after the span's start. */
function markingAfter({ start }: Span, ofSource: readonly Marking[]): Marking | undefined {
  return ofSource[firstWhere(ofSource, ({ end }) => end > start)];
}

function markingsBySource(markings: readonly Marking[]): Map<Source, Marking[]> {
  const bySource = new Map<Source, Marking[]>();
  for (const marking of markings) {
    for (const source of marking.sources) {
      const others = bySource.get(source);
      if (others) others.push(marking);
      else bySource.set(source, [marking]);
    }
  }
  return bySource;
}

/** Replaces a marking by its marks; without sources it becomes plain text that cannot be read as a mark. */
function write(marking: Marking, text: string, register: SourceRegister): void {
  const { start, end, sources } = marking;
  if (sources.length > 0) {
    const marks = sources.map((source) => register.mark(source)).join('');
    const attached = start < end ? !text.startsWith(' ', start) : /[\s\]([]/.test(text.charAt(start - 1) || ' ');
    marking.text = attached ? marks : ` ${marks}`;
  } else if (marking.text === '') {
    const original = text.slice(start, end);
    // A foreign mark such as 【1】 is removed: readers would not take it for one of ours, but would look for its source.
    marking.text = /^(?:【|\s?\[(?:cite|web):)/.test(original) ? '' : `\\${original}`;
  }
}

function citationsOf(spans: readonly Span[], markings: readonly Marking[], edited: EditedText): Citation[] {
  const bySource = markingsBySource(markings);
  const citations = new Map<string, Citation>();
  const add = (source: Source, start: number, end: number): void =>
    void citations.set(`${source.index} ${start} ${end}`, citationOf(source, start, end));
  for (const span of spans) {
    const marking = markingAfter(span, bySource.get(span.source) ?? []);
    const mark = marking ? edited.placeOf(marking) : { start: Infinity, end: 0 };
    add(span.source, Math.min(edited.offsetOf(span.start), mark.start), Math.max(edited.offsetOf(span.end), mark.end));
  }
  const annotated = new Set(spans.map(({ source }) => source));
  for (const [source, [first]] of bySource) {
    if (!first || annotated.has(source)) continue;
    const { start, end } = edited.placeOf(first);
    add(source, start, end);
  }
  return [...citations.values()].sort((a, b) => a.index - b.index || (a.startIndex ?? 0) - (b.startIndex ?? 0));
}

/** Leaves out the domain, which is added when the report is checked. */
function citationOf({ index, url, title, snippet, publishedAt }: Source, startIndex: number | null, endIndex: number | null): Citation {
  return {
    index,
    url,
    title: title ?? null,
    snippet: snippet ?? null,
    startIndex,
    endIndex,
    publishedAt: publishedAt ?? null,
    domain: null,
  };
}

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];
