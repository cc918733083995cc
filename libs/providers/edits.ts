/** A replacement of a part of a text; an empty part is an insertion. Edits do not overlap. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface EditedText {
  text: string;
  /** Maps an offset of the old text to the new one: inside a replaced part, to the replacement's start; at an insertion, to the place before it. */
  offsetOf(old: number): number;
  /** Start and end of an edit's replacement in the new text. */
  placeOf(edit: Edit): { start: number; end: number };
}

/** Applies all edits. `edits` are in the order of the text. */
export function applyEdits(text: string, edits: readonly Edit[]): EditedText {
  const parts: string[] = [];
  const starts: number[] = [];
  const places = new Map<Edit, { start: number; end: number }>();
  let length = 0;
  let done = 0;
  for (const edit of edits) {
    const start = length + edit.start - done;
    starts.push(start);
    places.set(edit, { start, end: start + edit.text.length });
    parts.push(text.slice(done, edit.start), edit.text);
    length = start + edit.text.length;
    done = edit.end;
  }
  parts.push(text.slice(done));
  const offsetOf = (old: number): number => {
    const next = firstWhere(edits, (edit) => edit.end > old || edit.start >= old);
    const following = edits[next];
    if (following && following.start <= old) return starts[next] ?? 0;
    const before = edits[next - 1];
    return before ? (starts[next - 1] ?? 0) + before.text.length + old - before.end : old;
  };
  return {
    text: parts.join(''),
    offsetOf,
    placeOf: (edit) => places.get(edit) ?? { start: offsetOf(edit.start), end: offsetOf(edit.end) },
  };
}

/** Binary search: index of the first item that meets a condition which all later ones meet too, or the length. */
export function firstWhere<Item>(items: readonly Item[], condition: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && condition(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
