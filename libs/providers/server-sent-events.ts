/** One event of a `text/event-stream` (WHATWG HTML, 9.2). */
export interface ServerSentEvent {
  /** Default: `message`. */
  event: string;
  data: string;
}

/** Reads events from decoded text in arbitrary pieces. As the standard says, an incomplete event at the end is dropped. */
export async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let event = '';
  let data: string[] = [];
  for await (const line of readLines(pieces)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n') };
      event = '';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
}

/** Lines that end with CR, LF or both; an unfinished last line is dropped. Collects the pieces of a line, so that a long one is not copied for each piece. */
async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let unfinished: string[] = [];
  let afterReturn = false;
  for await (const piece of pieces) {
    let start = afterReturn && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') afterReturn = piece.endsWith('\r');
    for (const { index, 0: end } of piece.matchAll(/\r\n|\r|\n/g)) {
      if (index < start) continue;
      yield unfinished.join('') + piece.slice(start, index);
      unfinished = [];
      start = index + end.length;
    }
    if (start < piece.length) unfinished.push(piece.slice(start));
  }
}
