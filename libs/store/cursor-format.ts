/** How the end of a page of a list is given to a client as a cursor. */
export interface CursorFormat<Place> {
  /** The cursor, opaque to clients. */
  textOf: (place: Place) => string;
  /** @returns undefined for a text that is not one of our cursors */
  placeIn: (cursor: string) => Place | undefined;
}

/** @param read returns undefined for a text that is not a place; texts that differ from the output of `write` for the same place are refused here */
export function cursorFormat<Place>(write: (place: Place) => string, read: (text: string) => Place | undefined): CursorFormat<Place> {
  const textOf = (place: Place): string => Buffer.from(write(place)).toString('base64url');
  const placeIn = (cursor: string): Place | undefined => {
    const place = read(Buffer.from(cursor, 'base64url').toString('latin1'));
    return place !== undefined && textOf(place) === cursor ? place : undefined;
  };
  return { textOf, placeIn };
}
