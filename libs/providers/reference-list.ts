import type { GivenSource } from './source-register';

/** A report without its reference list, and the list's sources by the numbers of their marks. */
export interface ReferencedText {
  body: string;
  references: ReadonlyMap<number, GivenSource>;
}

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const LIST_TITLE = /^[\s#*_]{0,20}(?:references|sources|citations|bibliography|works cited|footnotes)[\s#*_:]{0,20}$/i;
/** `[1] …`, `- [1] …`, `[^1]: …`, `[1]: …`: a reference anywhere. */
const MARKED = /^\s{0,3}(?:[-*+]\s{1,3})?\[\^?(\d{1,5})\]:?\s+(.*)$/;
/** `1. …`: a reference only below a title such as References. */
const NUMBERED = /^\s{0,3}(\d{1,5})[.)]\s+(.*)$/;
const LINK = /\[([^\][]*)\]\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?/;
const URL_ALONE = /\(?<?((?:https?:\/\/|corpus:\/)[^\s<>]*[^\s<>.,;])>?/;
const MAX_LINE_LENGTH = 10_000;

/** Takes the reference list out of a report. Lines without a source stay in the text, and so does a list without any source. */
export function readReferences(markdown: string): ReferencedText {
  const references = new Map<number, GivenSource>();
  const body: string[] = [];
  let fenced = false;
  /** Position of the reference list's title in the body; undefined outside such a list. */
  let titleAt: number | undefined;
  for (const line of markdown.split(/\r?\n/)) {
    if (FENCE.test(line)) fenced = !fenced;
    if (!fenced && LIST_TITLE.test(line)) titleAt = body.length;
    else if (!fenced && HEADING.test(line)) titleAt = undefined;
    const reference = fenced || line.length > MAX_LINE_LENGTH ? undefined : referenceIn(line, titleAt !== undefined);
    if (!reference) {
      body.push(line);
      continue;
    }
    if (titleAt !== undefined && titleAt < body.length) body.splice(titleAt, 1);
    titleAt = titleAt === undefined ? undefined : body.length;
    if (!references.has(reference.number)) references.set(reference.number, reference.source);
  }
  return { body: body.join('\n').trimEnd(), references };
}

function referenceIn(line: string, inList: boolean): { number: number; source: GivenSource } | undefined {
  const [, number, said] = MARKED.exec(line) ?? (inList ? NUMBERED.exec(line) : null) ?? [];
  const source = said === undefined ? undefined : sourceIn(said);
  return source && { number: Number(number), source };
}

function sourceIn(said: string): GivenSource | undefined {
  const [, label, target] = LINK.exec(said) ?? [];
  if (target !== undefined && URL.canParse(target)) return { url: target, title: titleOf(label ?? '') };
  const found = URL_ALONE.exec(said);
  const url = found?.[1];
  if (!found || url === undefined || !URL.canParse(url)) return undefined;
  return { url, title: titleOf(said.slice(0, found.index)) ?? titleOf(said.slice(found.index + found[0].length)) };
}

/** Null if there is only punctuation between a number and a URL. */
function titleOf(said: string): string | null {
  const title = said.replace(/^[\s"“*_.,:;()\\–—-]+|[\s"”*_.,:;()\\–—-]+$/g, '');
  return title === '' ? null : title;
}
