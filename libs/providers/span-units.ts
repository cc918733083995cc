interface Placed {
  url: string;
  startIndex: number | null;
  endIndex: number | null;
}

const BEYOND_BASIC_PLANE = /[\uD800-\uDBFF]/;

/**
 * The annotations with their places in UTF-16 units. OpenAI, xAI and OpenRouter do not document whether they count these or code points, which differ
 * behind each emoji. It shows in annotations that cover the link to their own source, as those of OpenAI do.
 */
export function inUtf16Units<Given extends Placed>(text: string, annotations: readonly Given[]): readonly Given[] {
  if (!BEYOND_BASIC_PLANE.test(text)) return annotations;
  const converted = fromCodePoints(text, annotations);
  return linksCovered(text, converted) > linksCovered(text, annotations) ? converted : annotations;
}

function fromCodePoints<Given extends Placed>(text: string, annotations: readonly Given[]): readonly Given[] {
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    places.push(place);
    place += character.length;
  }
  places.push(place);
  // A place behind the text stays one.
  const placeOf = (count: number | null): number | null => (count === null ? null : (places[count] ?? count + place));
  return annotations.map((annotation) => ({
    ...annotation,
    startIndex: placeOf(annotation.startIndex),
    endIndex: placeOf(annotation.endIndex),
  }));
}

const linksCovered = (text: string, annotations: readonly Placed[]): number =>
  annotations.filter(
    ({ url, startIndex, endIndex }) => startIndex !== null && endIndex !== null && text.slice(startIndex, endIndex).includes(`(${url}`),
  ).length;
