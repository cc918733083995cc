import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** One event of a `text/event-stream` (WHATWG HTML, 9.2). */
export interface ServerSentEvent {
  /** Default: `message`. */
  event: string;
  data: string;
}

/** Reads events from decoded text in arbitrary pieces. As the standard says, an incomplete event at the end is dropped. */
export async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  const read: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => read.push(event) });
  for await (const piece of pieces) {
    parser.feed(piece);
    for (const { event = 'message', data } of read.splice(0)) yield { event, data };
  }
}
