import { utf16Offsets } from '../byte-offsets';
import { countIn, objectIn, objectsIn, textIn } from '../json';
import { MAX_ANNOTATIONS, type Annotation } from '../sources';
import type { GivenSource } from '../source-register';
import type { GroundingMetadata, GroundingSupport } from './wire';

/** One annotation per page of each support, followed by every page without a position: those are used only if no support has a position. */
export function annotationsOf({ groundingChunks, groundingSupports }: GroundingMetadata, parts: readonly TextPart[]): Annotation[] {
  const pages = Array.isArray(groundingChunks) ? groundingChunks.map(pageOf) : [];
  const spanOf = spanFinder(parts);
  const supported = objectsIn(groundingSupports)
    .slice(0, MAX_ANNOTATIONS)
    .flatMap(({ segment, groundingChunkIndices }: GroundingSupport): Annotation[] => {
      const positions: unknown[] = Array.isArray(groundingChunkIndices) ? groundingChunkIndices : [];
      const span = spanOf(segment);
      return positions.flatMap((position) => {
        const page = pages[countIn(position) ?? -1];
        return page ? [{ ...page, ...span }] : [];
      });
    });
  const unplaced = pages.flatMap((page) => (page ? [{ ...page, ...NOWHERE }] : []));
  return [...supported, ...unplaced];
}

/** A part of the answer that becomes part of the report. */
export interface TextPart {
  text: string;
  /** Its position among all parts, including thoughts, which are not shown. */
  index: number;
}

/** A support that does not name its part is looked for in at most this many parts; real answers have far fewer. */
const MAX_PARTS = 100;
const NOWHERE = { startIndex: null, endIndex: null };

/**
 * Finds where segments stand in the joined text. Offsets count either from the start of a part, whose number the API often leaves out, or from the
 * start of the whole text; the segment's own text shows which.
 */
function spanFinder(parts: readonly TextPart[]): (segment: unknown) => Pick<Annotation, 'startIndex' | 'endIndex'> {
  const whole = parts.map(({ text }) => text).join('');
  let before = 0;
  const starts = parts.map(({ text, index }) => {
    const base = before;
    before += text.length;
    return { index, base, offset: utf16Offsets(text) };
  });
  const byIndex = new Map<unknown, (typeof starts)[number]>(starts.map((start) => [start.index, start]));
  const anywhere = { base: 0, offset: utf16Offsets(whole) };
  const others = starts.slice(0, MAX_PARTS);
  return (segment) => {
    const { startIndex = 0, endIndex, partIndex, text } = objectIn(segment);
    const spans = [byIndex.get(partIndex) ?? [], anywhere, others].flat().flatMap(({ base, offset }) => {
      const [start, end] = [offset(startIndex), offset(endIndex)];
      return start === null || end === null ? [] : [{ startIndex: base + start, endIndex: base + end }];
    });
    const said = textIn(text);
    const right = said === null ? undefined : spans.find((span) => whole.slice(span.startIndex, span.endIndex) === said);
    // If the segment's text is at none of these places, its page would be cited for other words. The first place is taken only if the segment has no
    // text or there is only one part.
    return right ?? (said === null || parts.length === 1 ? spans[0] : undefined) ?? NOWHERE;
  };
}

function pageOf(chunk: unknown): GivenSource | null {
  const { uri, title } = objectIn(objectIn(chunk).web);
  const url = textIn(uri);
  return url === null ? null : { url, title: textIn(title) };
}
