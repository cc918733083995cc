import { isJsonObject, type JsonObject } from '@lib/domain/json-object';
import { acceptedId } from '../accepted-run';
import { objectIn, parseObject, textIn } from '../json';
import { ProviderError, type RawResponse } from '../research-provider';
import type { ServerSentEvent } from '../server-sent-events';
import { failureFromWords } from '../ended-run';
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
 * Recognizes events about another run. Some gateways change a run's id in every event, so different ids alone prove nothing. But once a second
 * event has repeated the id of the first, an event with another id is about another run.
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
  let searches = 0;
  const named = new RunNamed();
  for await (const { data } of events) {
    if (data === END_OF_STREAM) break;
    const event: StreamEvent = parseObject(data);
    // Another run's event must neither end nor charge this one. If none of its own comes, the run is polled.
    if (named.isAnother(objectIn(event.response))) continue;
    switch (event.type) {
      case 'response.created':
        await started(acceptedId(objectIn(event.response)));
        break;
      case 'response.output_item.added':
        if (SEARCH.test(String(objectIn(event.item).type))) searches += 1;
        if (searches > mostSearches) throw tooManySearches(mostSearches);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (isJsonObject(event.response)) return data;
        // Without a response, the outcome is unknown: the run can be polled.
        break;
      case 'error':
        throw failureFromWords([event.code, event.message]);
    }
  }
  throw new ProviderError('unavailable', 'The stream of the run ended before the run did');
}

/** Has no charge: the cost so far is unknown, so the reservation counts. */
function tooManySearches(most: number): ProviderError {
  const message = `The run was broken off when it searched more than ${most} times, for which nothing was reserved: raise maxSearches and maxReserveCents of this provider`;
  return new ProviderError('quota', message, { runEnded: true });
}
