import type { TraceContext } from '@lib/domain/trace-context';
import type { Work } from '@lib/messaging/subjects';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import { patiently } from '@lib/store/postgres/answer-within';
import { inDeliverySpan } from '../telemetry/observed-transport';
import { DueSyntheses, type SynthesisParts } from './due-syntheses';
import { oncePerJob } from './once-per-job';
import { TenantTurns } from './tenant-turns';
import { SynthesisLeft } from './while-needed';

/** Jobs synthesized at a time. Each holds its reports while it waits for the database, the report threads and a model. */
const SLOTS = 16;
/** Jobs at a time that this process takes without the queue. */
const SLOTS_AT_ONCE = 12;
/** While a synthesis is under way, the agenda is told so this often. */
const STILL_AT_IT_MS = 3_000;
/** The pause before a wake-up of a job that is in hand comes back. */
const AGAIN_MS = 1_000;

export interface SynthesizerParts extends SynthesisParts {
  transport: Transport;
}

/** Takes wake-ups, from the queue and from this process, and does as many syntheses at a time as there are slots, each tenant's in its turn. */
export class Synthesizer {
  private subscription: Subscription | null = null;
  private readonly stopping = new AbortController();
  private readonly due: DueSyntheses;
  private readonly turns: TenantTurns;
  private readonly handle = oncePerJob((delivery) => this.whileKept(delivery), AGAIN_MS);
  /** Running syntheses that did not come from the queue. */
  private readonly taken = new Set<Promise<void>>();
  private takesMore = true;

  constructor(private readonly parts: SynthesizerParts) {
    this.due = new DueSyntheses(parts, this.stopping.signal);
    this.turns = new TenantTurns(parts.store.agenda);
  }

  async start(): Promise<void> {
    this.subscription = await this.parts.transport.consume({ kind: 'synthesis' }, SLOTS, (delivery) => this.inTurn(delivery));
  }

  /**
   * Begins a synthesis that this process has just made due, without the queue, which costs a lone job as much time as a commit. If it fails, it comes
   * again through the queue, or by the agenda if this process ends.
   * @returns false if there is no room, or the work is none of the synthesizer's
   */
  take(work: Work, trace: TraceContext | null = null): boolean {
    if (work.kind !== 'synthesis' || !this.takesMore || this.taken.size >= SLOTS_AT_ONCE) return false;
    const handle = inDeliverySpan(this.parts.tracing ?? null, (delivery) => this.inTurn(delivery));
    const running = handle(this.withoutQueue(work, trace))
      .catch((error: unknown) => this.parts.logger.error({ reason: 'synthesis_failed', jobId: work.jobId, err: error }))
      .finally(() => this.taken.delete(running));
    this.taken.add(running);
    return true;
  }

  /** A wake-up that is in no queue. If it is handed back, it comes through the queue. */
  private withoutQueue(work: Extract<Work, { kind: 'synthesis' }>, trace: TraceContext | null): Delivery {
    const retryAfter = (milliseconds: number): void => {
      setTimeout(() => void this.parts.transport.dispatch({ ...work, first: false }), milliseconds).unref();
    };
    return { work, trace, deliveries: 1, ack: () => undefined, retryAfter };
  }

  /** Does the synthesis whose turn it is. If that is another one than the wake-up's, this comes again where there is room next. */
  private async inTurn(delivery: Delivery): Promise<void> {
    const turn = await this.turns.next(delivery);
    if (turn === 'own') return this.handle(delivery);
    // It is done, or somebody is at it.
    if (turn === null) return delivery.ack();
    const { jobId, isFirst: first } = turn;
    const work = { kind: 'synthesis', jobId, first } as const;
    if (jobId === delivery.work.jobId) return this.handle({ ...delivery, work, deliveries: first ? 1 : delivery.deliveries });
    delivery.retryAfter(0);
    return this.handle(this.withoutQueue(work, null));
  }

  /** Takes nothing new and finishes what it has in hand within `graceMs`; what takes longer is left to another synthesizer. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(new SynthesisLeft()), graceMs);
    this.takesMore = false;
    await Promise.all([this.subscription?.stop(), ...this.taken]);
    clearTimeout(timer);
  }

  /** Keeps other processes from beginning the synthesis, and from being woken for it, for as long as it takes. */
  private async whileKept(delivery: Delivery): Promise<void> {
    // If the database does not answer, another process may begin it too, and does the same work.
    const keep = () => void this.parts.store.agenda.keepTaken(delivery.work.jobId).catch(() => undefined);
    const stillAtIt = setInterval(keep, STILL_AT_IT_MS);
    try {
      await patiently(() => this.due.run(delivery));
    } finally {
      clearInterval(stillAtIt);
    }
  }
}
