const LONGEST_QUOTE = 40;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** A text of the client as it may stand in an error: on one line, and cut, so that no content is echoed. */
export function quoted(text: string): string {
  return text.length > LONGEST_QUOTE ? `${JSON.stringify(cut(text, LONGEST_QUOTE))}…` : JSON.stringify(text);
}

/** JSON Pointer (RFC 6901) to a property of the body, or to a query parameter. A name longer than anyone uses is cut. */
export function pointerTo(name: string): string {
  return `/${cut(name, 2 * LONGEST_QUOTE)
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')}`;
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(LONE_SURROGATES, '\ufffd');
}
