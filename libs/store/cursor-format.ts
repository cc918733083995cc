/** How the place where a page of a list ends is handed to a client as a cursor. */
export interface CursorFormat<Place> {
  /** The cursor: for clients it means nothing. */
  textOf: (place: Place) => string;
  /** @returns undefined for a text that no page gave out */
  placeIn: (cursor: string) => Place | undefined;
}

/** @param read undefined for a text that is no place; other texts for a place than that of `write` are refused here */
export function cursorFormat<Place>(write: (place: Place) => string, read: (text: string) => Place | undefined): CursorFormat<Place> {
  const textOf = (place: Place): string => Buffer.from(write(place)).toString('base64url');
  const placeIn = (cursor: string): Place | undefined => {
    const place = read(Buffer.from(cursor, 'base64url').toString('latin1'));
    return place !== undefined && textOf(place) === cursor ? place : undefined;
  };
  return { textOf, placeIn };
}
