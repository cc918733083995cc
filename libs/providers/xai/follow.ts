import { isJsonObject, type JsonObject } from '@lib/domain/json-object';
import { acceptedId } from '../accepted-run';
import { objectIn, parseObject, textIn } from '../json';
import { ProviderError, type RawResponse } from '../research-provider';
import type { ServerSentEvent } from '../server-sent-events';
import { failureFromWords, wordsOf } from '../ended-run';
import type { StreamEvent } from './wire';

/** What to do while a run is streamed. */
export interface Follower {
  /** Called once, as soon as the run's id is known. */
  started(externalId: string): Promise<void>;
  mostSearches: number;
}

const END_OF_STREAM = '[DONE]';
const SEARCH = /^(?:web_search|x_search|custom_tool)_call$/;

/**
 * Finds out which run a stream is about. Gateways may give a run another id in each event; such ids tell nothing. But once a second event has
 * repeated the first id, an event with another id is about another run.
 */
class RunNamed {
  private id: string | null = null;
  private isConstant = false;

  isAnother({ id }: JsonObject): boolean {
    const told = textIn(id);
    if (told === null) return false;
    if (told !== this.id && this.id !== null) return this.isConstant;
    this.isConstant = told === this.id;
    this.id = told;
    return false;
  }
}

/** Follows a run to its last event, which carries the whole response. @throws ProviderError also if the run searches too often */
export async function followRun(events: AsyncIterable<ServerSentEvent>, { started, mostSearches }: Follower): Promise<RawResponse> {
  const searches = new Set<unknown>();
  const named = new RunNamed();
  for await (const { data } of events) {
    if (data === END_OF_STREAM) break;
    const event: StreamEvent = parseObject(data);
    // The event is about another run: it neither ends this run nor charges it. If no other event comes, the run is polled by its id.
    if (named.isAnother(objectIn(event.response))) continue;
    switch (event.type) {
      case 'response.created':
        await started(acceptedId(objectIn(event.response)));
        break;
      case 'response.output_item.added':
        // Events may come twice. One that names nothing counts by itself.
        if (SEARCH.test(String(objectIn(event.item).type))) searches.add(textIn(objectIn(event.item).id) ?? event.output_index ?? event);
        if (searches.size > mostSearches) throw tooManySearches(mostSearches);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (isJsonObject(event.response)) return data;
        // The event says nothing about the run, which can still be polled.
        break;
      case 'error':
        throw failureFromWords(isJsonObject(event.error) ? wordsOf(event.error) : [event.code, event.message]);
    }
  }
  throw new ProviderError('unavailable', 'The stream of the run ended before the run did');
}

/** The cost so far is unknown, so the reservation counts. */
function tooManySearches(most: number): ProviderError {
  const message = `The run was broken off when it searched more than ${most} times, for which nothing was reserved: raise maxSearches and maxReserveCents of this provider`;
  return new ProviderError('quota', message, { runEnded: true });
}
