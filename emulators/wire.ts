import type { IncomingHttpHeaders } from 'node:http';

import type { Asked, Usage } from './asked';
import type { Run } from './run';

export interface ServerSentEvent {
  event?: string;
  data: unknown;
}

/** One JSON document, or events as they happen. `NaN` becomes the text "NaN". */
export type Answer = object | AsyncIterable<ServerSentEvent>;

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** Matches the path without its query. The group `id` is the run's id; a submit gets all groups. */
  path: RegExp;
}

/** The format of one API. The emulator does the rest: keys, ledger, runs, behaviours. */
export interface Wire {
  /** End of the API's base URL, such as `/v1`; routes match the whole path. */
  basePath: string;
  /** Prefix of its run ids, as of the real ones. */
  runPrefix: string;
  /** The key in a request; undefined if there is none. */
  key(headers: IncomingHttpHeaders): string | undefined;
  /** The API can be used without a key. */
  keyOptional?: boolean;
  /** The bill for a usage in whole micro-dollars, by the API's published prices. */
  price(usage: Usage, asked: Asked): number;
  /** The body of an error; `type` is the API's error type, if a status has several. */
  error(status: number, message: string, type?: string): object;
  submit: Route & {
    /**
     * When `answer` is called. `accepted`: at once, for a document with the run's state; the client polls. `ended`: at the run's end, for a
     * document with its result. `streamed`: at once, for events that follow the run to its result.
     */
    answers: 'accepted' | 'ended' | 'streamed';
    /** The run stops when the client disconnects. */
    endsWithConnection: boolean;
    /** @throws Error for a body that the API would refuse; its message goes into a 400 */
    read(body: Body, groups: Readonly<Record<string, string>>): Asked;
    answer(run: Run): Answer;
  };
  poll?: Route & { answer(run: Run): Answer };
  cancel?: Route & { answer(run: Run): Answer };
}

/** A JSON document of unchecked content. */
export type Body = { readonly [name: string]: unknown };

export const bearerKey = ({ authorization }: IncomingHttpHeaders): string | undefined => /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
