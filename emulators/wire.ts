import type { IncomingHttpHeaders } from 'node:http';

import type { Asked, Usage } from './asked';
import type { Run } from './run';

export interface ServerSentEvent {
  event?: string;
  data: unknown;
}

/** One JSON document, or events while they happen. `NaN` becomes the text "NaN". */
export type Answer = object | AsyncIterable<ServerSentEvent>;

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** Of the path without its query. The group `id` is the run's id; a submit gets all groups. */
  path: RegExp;
}

/** The shapes of one API. The frame does the rest: keys, ledger, runs, behaviours. */
export interface Wire {
  /** What the base address in an adapter's options ends with, such as `/v1`; routes match the whole path. */
  basePath: string;
  /** What its run ids start with, as the real ones do. */
  runPrefix: string;
  /** The key that a request presents; undefined if there is none. */
  key(headers: IncomingHttpHeaders): string | undefined;
  /** An API that can be used without a key. */
  keyOptional?: boolean;
  /** What the API bills for so much, in whole micro-dollars, by its own published prices. */
  price(usage: Usage, asked: Asked): number;
  /** The body of an error answer; `type` is the API's own word for it where a status has several. */
  error(status: number, message: string, type?: string): object;
  submit: Route & {
    /**
     * When `answer` is called. `accepted`: at once, for a document that says how the run stands; the client polls. `ended`: when the run
     * has, for a document with its result. `streamed`: at once, for events that follow the run to its result.
     */
    answers: 'accepted' | 'ended' | 'streamed';
    /** The run stops when the client goes away. */
    endsWithConnection: boolean;
    /** @throws Error for a body that the API would refuse: the message goes into a 400 */
    read(body: Body, groups: Readonly<Record<string, string>>): Asked;
    answer(run: Run): Answer;
  };
  poll?: Route & { answer(run: Run): Answer };
  cancel?: Route & { answer(run: Run): Answer };
}

/** A JSON document of unknown content. */
export type Body = { readonly [name: string]: unknown };

export const bearerKey = ({ authorization }: IncomingHttpHeaders): string | undefined => /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
