import type MarkdownIt from 'markdown-it';

/** What the text of a link is made of at most: words, code, brackets. Each bracket that nothing closes is searched for so far. */
const MAX_TOKENS = 1_000;
const OPENS = '[';
const CLOSES = ']';

/** By text that is read, how many closing brackets it has from each offset on. */
const closingFrom = new WeakMap<MarkdownIt.StateInline, Uint32Array>();

/**
 * Where the text of a link ends that begins at `start`; -1 if nothing closes it. In place of the parser's own, which reads on to the end of the
 * text for each bracket: a megabyte of `![` took 5 s.
 * @param noneWithin whether another link within it means that it is none
 */
export function linkLabelEnd(state: MarkdownIt.StateInline, start: number, noneWithin = false): number {
  const before = state.pos;
  const closing = closingFrom.get(state) ?? countClosing(state.src);
  closingFrom.set(state, closing);
  let end = -1;
  state.pos = start + 1;
  for (let [open, tokens] = [1, 0]; state.pos < state.posMax && tokens < MAX_TOKENS; tokens += 1) {
    const at = state.pos;
    const character = state.src.charAt(at);
    if (character === CLOSES) open -= 1;
    if (open === 0) end = at;
    // What is open already needs more brackets than there are.
    if (open === 0 || open > (closing[at] ?? 0)) break;
    state.md.inline.skipToken(state);
    if (character !== OPENS) continue;
    if (state.pos === at + 1) open += 1;
    else if (noneWithin) break;
  }
  state.pos = before;
  return end;
}

function countClosing(text: string): Uint32Array {
  const counts = new Uint32Array(text.length + 1);
  for (let at = text.length - 1; at >= 0; at -= 1) counts[at] = (counts[at + 1] ?? 0) + (text.charAt(at) === CLOSES ? 1 : 0);
  return counts;
}
