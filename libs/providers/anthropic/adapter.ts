import type { Charge } from '@lib/domain/money';

import type { ProviderHttp } from '../http';
import { ProviderError, type RawResponse, type ResearchReport, type ResearchRequest, type RunState } from '../research-provider';
import { SingleCall } from '../single-call';
import { anthropicHttp } from './http';
import type { AnthropicOptions } from './options';
import { parseMessages } from './parse';
import { continueMessage, createMessage } from './request';
import { readMessage } from './stream';
import { chargeOf } from './usage';
import type { CreateMessage, Message } from './wire';

/** An answer that pauses more often than this is not making progress. */
const MAX_TURNS = 12;

/**
 * Claude with the server tools for searching and fetching. An answer takes minutes and has no id to poll, so it is streamed: pings show
 * that the connection is alive, which a plain call would learn only at its deadline, and proxies do not close it as idle. Plain HTTP,
 * because the SDK retries requests by itself, and each is paid for.
 */
export class AnthropicProvider extends SingleCall {
  private readonly http: ProviderHttp;

  constructor(
    private readonly options: AnthropicOptions,
    key: string,
  ) {
    super();
    this.http = anthropicHttp(options.baseUrl, key);
  }

  /** The raw response is the list of messages that make up the answer: one, plus one more for each pause. */
  override async submit(request: ResearchRequest): Promise<RunState> {
    const { reservedMicros } = request.limits;
    const first = createMessage(request, this.options);
    const turns: Message[] = [];
    for (let body: CreateMessage | null = first; body !== null;) {
      const message = await this.ask(body, request.signal, turns);
      turns.push(message);
      const goesOn = message.stop_reason === 'pause_turn' && turns.length < MAX_TURNS;
      body = goesOn ? continueMessage(first, turns, this.options, reservedMicros) : null;
    }
    return { state: 'finished', raw: JSON.stringify(turns) };
  }

  override async check(model: string | null, signal: AbortSignal): Promise<Date | null> {
    return this.http.probeModel(model, signal);
  }

  override parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseMessages(raw, this.options.prices, request.limits.reservedMicros);
  }

  /** A refused later turn is free, but the turns before it were not. If its cost is unknown, that of the others is the least that there is. */
  private async ask(body: CreateMessage, signal: AbortSignal, paid: readonly Message[]): Promise<Message> {
    try {
      return await readMessage(this.http.stream('/messages', body, signal));
    } catch (error) {
      if (!(error instanceof ProviderError) || paid.length === 0) throw error;
      const known = chargeOf(paid, this.options.prices, 0);
      const charge: Charge = error.details.charge ? known : { ...known, provenance: 'estimated' };
      // Earlier turns of it were called.
      const errorClass = error.errorClass === 'not_called' ? 'unavailable' : error.errorClass;
      throw new ProviderError(errorClass, error.message, { ...error.details, charge }, { cause: error });
    }
  }
}
