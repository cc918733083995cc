const MAX_QUOTE_LENGTH = 40;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** A client's text for an error message: in one line and shortened, so that no content is returned. */
export function quoted(text: string): string {
  return text.length > MAX_QUOTE_LENGTH ? `${JSON.stringify(cut(text, MAX_QUOTE_LENGTH))}…` : JSON.stringify(text);
}

/** JSON Pointer (RFC 6901) to a property of the body, or to a query parameter. Overlong names are cut. */
export function pointerTo(name: string): string {
  return `/${cut(name, 2 * MAX_QUOTE_LENGTH)
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')}`;
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(LONE_SURROGATES, '\ufffd');
}
