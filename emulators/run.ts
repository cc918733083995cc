import { randomBytes } from 'node:crypto';

import { MICROS_PER_DOLLAR } from '@lib/domain/money';

import type { Asked, Usage } from './asked';
import { showsAt, type Behaviour, type BehaviourName, type Call } from './behaviours';
import { INJECTION, PREPARED_SOURCES, statementsFor, write, type Written } from './findings';
import { proposalsFor } from './proposals';
import { proseFor } from './prose';

export type RunState = 'running' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

export interface RunSettings {
  api: string;
  idPrefix: string;
  workMs: number;
  price: (usage: Usage, asked: Asked) => number;
  behaviours: readonly Behaviour[];
}

/** One run of an emulated provider. It works for a while and ends by itself, whether polled or not. */
export class Run {
  readonly id: string;
  readonly createdAt = new Date();
  state: RunState = 'running';
  polls = 0;
  /** Number of times it was continued. */
  continuations = 0;
  /** Resolves when the run is over. */
  readonly ended: Promise<void>;
  private readonly settle: () => void;
  private readonly shown = new Map<Behaviour, number>();
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(
    readonly asked: Asked,
    private readonly settings: RunSettings,
    private readonly onEnd: (run: Run, chargedMicros: number) => void,
  ) {
    this.id = `${settings.idPrefix}${randomBytes(12).toString('hex')}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.settle = resolve;
    const workMs = this.behaviour('late')?.ms ?? settings.workMs;
    if (!this.has('never-ends')) this.timer = setTimeout(() => this.end(this.outcome()), workMs);
  }

  get stepId(): string | null {
    return this.asked.stepId;
  }

  /** Its state in the words that most APIs use. */
  get status(): string {
    return this.state === 'running' ? 'in_progress' : this.state;
  }

  /** The behaviour of that name, if it applies to this run. */
  behaviour(name: BehaviourName): Behaviour | undefined {
    return this.settings.behaviours.find((behaviour) => behaviour.name === name);
  }

  has(name: BehaviourName): boolean {
    return this.behaviour(name) !== undefined;
  }

  /** The behaviours that apply to the response of this call; `resultCall` is the one that returns the result. */
  behavioursAt(call: Call, resultCall: Call): Behaviour[] {
    return this.settings.behaviours.filter((behaviour) => showsAt(behaviour, call, resultCall) && !this.isOver(behaviour, call));
  }

  /** Stops a working run; half of its work is billed. */
  cancel(): void {
    if (this.state === 'running') this.end('cancelled');
  }

  /** Ends a run that nobody polls any more, without billing it. */
  discard(): void {
    clearTimeout(this.timer);
  }

  /** Why a failed run failed, as a provider would say it. */
  get failure(): { code: string; message: string } | null {
    return this.state === 'failed' ? { code: 'server_error', message: 'The emulated run failed while it was working' } : null;
  }

  /** The text of a refusal. */
  get refusal(): string | null {
    return this.state === 'completed' && this.has('refusal') ? 'I cannot help with this request.' : null;
  }

  /** Actual usage: everything that the request allows for a greedy run, half for a cancelled one. */
  get usage(): Usage {
    const { maxOutputTokens = Infinity, maxSearches = Infinity, question } = this.asked;
    const greedy = this.has('greedy');
    const amount = (usual: number, most: number): number =>
      Math.round((greedy && most < Infinity ? most : Math.min(usual, most)) * (this.state === 'cancelled' ? 0.5 : 1));
    const used: Usage = {
      inputTokens: amount(4000 + Math.ceil(question.length / 4), Infinity),
      cachedTokens: amount(1000, Infinity),
      outputTokens: amount(1800, maxOutputTokens),
      reasoningTokens: amount(600, Math.floor(maxOutputTokens / 3)),
      searches: amount(5, maxSearches),
    };
    const overcharge = this.behaviour('overcharge');
    return overcharge ? this.usageWorth(overcharge.usd * MICROS_PER_DOLLAR, used) : used;
  }

  /** Actual cost in micro-dollars. */
  get chargedMicros(): number {
    return this.state === 'failed' ? 0 : this.settings.price(this.usage, this.asked);
  }

  /** Reported usage: nonsense or undefined if a behaviour demands it. */
  get toldUsage(): Usage | undefined {
    const told = this.behaviour('usage')?.as;
    if (told === 'missing') return undefined;
    const distort = (amount: number): number => (told === 'nan' ? NaN : told === 'negative' ? -amount : amount);
    const { inputTokens, cachedTokens, outputTokens, reasoningTokens, searches } = this.usage;
    return {
      inputTokens: distort(inputTokens),
      cachedTokens: distort(cachedTokens),
      outputTokens: distort(outputTokens),
      reasoningTokens: distort(reasoningTokens),
      searches: distort(searches),
    };
  }

  /** Reported cost in micro-dollars; undefined if a behaviour leaves it out. */
  get toldMicros(): number | undefined {
    const told = this.behaviour('cost')?.as;
    if (told === 'missing') return undefined;
    return told === 'nan' ? NaN : told === 'negative' ? -this.chargedMicros : this.chargedMicros;
  }

  /**
   * The report with its citations. `mark` writes each citation: ` [1]`, a link, or '' for an API that does not put marks in the text.
   * Empty if a behaviour demands it.
   */
  written(mark: (number: number, source: { url: string; title: string }) => string): Written {
    if (this.has('empty')) return { text: '', citations: [] };
    const { question } = this.asked;
    const prose = proseFor(question, this.behaviour('prose')?.flaw) ?? proposalsFor(question, this.behaviour('proposals')?.proposing);
    if (prose !== null) return { text: this.state === 'incomplete' ? prose.slice(0, prose.length / 2) : prose, citations: [] };
    const count = this.has('no-citations') ? 0 : (this.behaviour('citations')?.count ?? PREPARED_SOURCES);
    const statements = statementsFor(this.settings.api, count);
    const { text, citations } = write(this.has('injection') ? [...statements, INJECTION] : statements, mark);
    const kept = this.state === 'incomplete' ? text.slice(0, Math.ceil(text.length / 2)) : text;
    const inside = citations.filter(({ mark: { end } }) => end <= kept.length);
    if (!this.has('citations-out-of-range')) return { text: kept, citations: inside };
    const spans = [
      { start: kept.length + 10, end: kept.length + 50 },
      { start: -5, end: 3 },
      { start: 7, end: 2 },
    ];
    const away = inside.map((citation, position) => {
      const span = spans[position % spans.length] ?? citation.mark;
      return { ...citation, mark: span, statement: span };
    });
    return { text: kept, citations: away };
  }

  /** Behaviours of polls and cancellations apply to this many of them; those of submits are counted at the submit. */
  private isOver(behaviour: Behaviour, call: Call): boolean {
    if (call === 'submit' || behaviour.on !== call) return false;
    const times = (this.shown.get(behaviour) ?? 0) + 1;
    this.shown.set(behaviour, times);
    return times > behaviour.times;
  }

  private usageWorth(micros: number, usual: Usage): Usage {
    const priceOf = (outputTokens: number): number => this.settings.price({ ...usual, outputTokens }, this.asked);
    const perMillion = priceOf(1_000_000) - priceOf(0);
    return perMillion > 0 ? { ...usual, outputTokens: Math.ceil((micros / perMillion) * 1_000_000) } : usual;
  }

  private outcome(): RunState {
    if (this.has('fails')) return 'failed';
    return this.has('truncated') ? 'incomplete' : 'completed';
  }

  private end(state: RunState): void {
    clearTimeout(this.timer);
    this.state = state;
    this.onEnd(this, this.chargedMicros);
    this.settle();
  }
}
