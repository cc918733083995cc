import type { ServerResponse } from 'node:http';

import { messageOfError } from '@lib/domain/message-of-error';

import type { Asked } from './asked';
import { directivesOf, parseBehaviours, showsAt, type Behaviour, type Call } from './behaviours';
import { deliver, sendError } from './delivery';
import type { Ledger } from './ledger';
import { Run } from './run';
import type { Body, Wire } from './wire';

/** A request that matched a route. */
export interface Exchange {
  body: unknown;
  /** The named parts of the path. */
  groups: Readonly<Record<string, string>>;
  response: ServerResponse;
  /** Aborts if the client disconnects before it has the response. */
  gone: AbortSignal;
  /** Responds with an error in the API's format. */
  refuse(code: number, message: string): void;
}

/** The state of an emulated API: its runs and their behaviours. */
export class Provider {
  private readonly runs = new Map<string, Run>();
  private standing: Behaviour[] = [];
  /** How often each behaviour with `times` was applied, by who set it. */
  private readonly shown = new Map<string, number>();

  constructor(
    private readonly api: string,
    private readonly wire: Wire,
    private readonly ledger: Ledger,
    private readonly workMs: number,
  ) {}

  behave(behaviours = ''): void {
    this.standing = parseBehaviours(behaviours);
    this.shown.clear();
  }

  discardRuns(): void {
    for (const run of this.runs.values()) run.discard();
  }

  async submit(exchange: Exchange): Promise<void> {
    const asked = this.read(exchange);
    if (!asked) return;
    if (asked.continues !== undefined) return this.continue(asked.continues, exchange);
    const behaviours = this.behavioursFor(asked);
    const error = behaviours.find((behaviour) => behaviour.name === 'status' && showsAt(behaviour, 'submit', this.resultCall(asked)));
    if (error) {
      this.ledger.record('submit', null, asked);
      return this.sendStatus(exchange, error);
    }
    const { api, wire, workMs } = this;
    const settings = { api, idPrefix: wire.runPrefix, workMs, price: wire.price, behaviours };
    const run = new Run(asked, settings, (ended, micros) => this.ledger.record('charge', ended, ended.asked, micros));
    this.runs.set(run.id, run);
    this.ledger.record('submit', run);
    return this.answerSubmit(run, exchange);
  }

  async poll(exchange: Exchange): Promise<void> {
    return this.look('poll', exchange, (run) => (run.polls += 1));
  }

  async cancel(exchange: Exchange): Promise<void> {
    return this.look('cancel', exchange, (run) => (run.has('unstoppable') ? undefined : run.cancel()));
  }

  private read({ body, groups, refuse }: Exchange): Asked | null {
    try {
      if (typeof body !== 'object' || body === null) throw new Error('The body is not a JSON object');
      return this.wire.submit.read(body as Body, groups);
    } catch (error) {
      this.ledger.record('submit', null);
      refuse(400, messageOfError(error));
      return null;
    }
  }

  private async continue(id: string, exchange: Exchange): Promise<void> {
    const run = this.runs.get(id);
    if (!run) return exchange.refuse(400, 'What is to be continued is not known');
    run.continuations += 1;
    this.ledger.record('continue', run);
    return this.answerSubmit(run, exchange);
  }

  private async answerSubmit(run: Run, { response, gone }: Exchange): Promise<void> {
    const { answers, endsWithConnection, answer } = this.wire.submit;
    gone.addEventListener('abort', () => {
      this.ledger.record('disconnect', run);
      if (endsWithConnection) run.cancel();
    });
    if (answers === 'ended' || run.asked.isSynchronous) await run.ended;
    await deliver(response, answer(run), run.behavioursAt('submit', this.resultCall(run.asked)), gone);
  }

  private async look(call: 'poll' | 'cancel', exchange: Exchange, act: (run: Run) => void): Promise<void> {
    const { groups, response, gone, refuse } = exchange;
    const run = this.runs.get(groups.id ?? '');
    this.ledger.record(call, run ?? null);
    const route = this.wire[call];
    if (!run || !route || run.has('forgotten')) return refuse(404, `There is no run ${groups.id}`);
    act(run);
    const behaviours = run.behavioursAt(call, this.resultCall(run.asked));
    const error = behaviours.find(({ name }) => name === 'status');
    if (error) return this.sendStatus(exchange, error);
    await deliver(response, route.answer(run), behaviours, gone);
  }

  private sendStatus({ response }: Exchange, error: Behaviour): void {
    sendError(response, error, this.wire.error(error.code, `Emulated error ${error.code}`, error.type));
  }

  /** The call that returns a run's result, and with it failures of results. */
  private resultCall({ isSynchronous }: Asked): Call {
    return this.wire.submit.answers === 'accepted' && !isSynchronous ? 'poll' : 'submit';
  }

  /** The behaviours set and the question's directives, without those that were applied often enough. */
  private behavioursFor({ stepId, question }: Asked): Behaviour[] {
    const standing = this.standing.map((behaviour) => ({ behaviour, asker: '' }));
    const directives = directivesOf(question, this.api).map((behaviour) => ({ behaviour, asker: stepId ?? question }));
    return [...standing, ...directives].flatMap(({ behaviour, asker }, position) => {
      if (behaviour.on === 'poll' || behaviour.on === 'cancel') return [behaviour];
      const key = `${position} ${asker}`;
      const times = (this.shown.get(key) ?? 0) + 1;
      this.shown.set(key, times);
      return times <= behaviour.times ? [behaviour] : [];
    });
  }
}
