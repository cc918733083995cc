import type { TraceContext } from '@lib/domain/trace-context';
import type { Work } from '@lib/messaging/subjects';
import type { Delivery, Subscription, Transport } from '@lib/messaging/transport';
import { patiently } from '@lib/store/postgres/answer-within';
import { inDeliverySpan } from '../telemetry/observed-transport';
import { DueSyntheses, type SynthesisTools } from './due-syntheses';
import { oncePerJob } from './once-per-job';
import { TenantTurns } from './tenant-turns';
import { SynthesisLeft } from './while-needed';

/** Jobs synthesized at a time. Each holds its reports while it waits for the database, the report threads and a model. */
const SLOTS = 16;
/** Syntheses that this process may run at a time without the queue. */
const SLOTS_AT_ONCE = 12;
/** How often the agenda is told that a synthesis is still running. */
const STILL_AT_IT_MS = 3_000;
/** How long a wake-up is returned to the queue if its job is already being handled. */
const AGAIN_MS = 1_000;

export interface SynthesizerTools extends SynthesisTools {
  transport: Transport;
}

/** Takes wake-ups from the queue and from this process, and runs as many syntheses as there are slots, with tenants taking turns. */
export class Synthesizer {
  private subscription: Subscription | null = null;
  private readonly stopping = new AbortController();
  private readonly due: DueSyntheses;
  private readonly turns: TenantTurns;
  private readonly handle = oncePerJob((delivery) => this.whileKept(delivery), AGAIN_MS);
  /** Running syntheses that did not come from the queue. */
  private readonly taken = new Set<Promise<void>>();
  private takesMore = true;

  constructor(private readonly tools: SynthesizerTools) {
    this.due = new DueSyntheses(tools, this.stopping.signal);
    this.turns = new TenantTurns(tools.store.agenda);
  }

  async start(): Promise<void> {
    this.subscription = await this.tools.transport.consume({ kind: 'synthesis' }, SLOTS, (delivery) => this.inTurn(delivery));
  }

  /**
   * Begins a synthesis that this process has just made due, bypassing the queue, which costs a lone job as much time as a commit. If it fails, it
   * comes again through the queue, or through the agenda if this process ends.
   * @returns false if there is no free slot, or the work is not a synthesis
   */
  take(work: Work, trace: TraceContext | null = null): boolean {
    if (work.kind !== 'synthesis' || !this.takesMore || this.taken.size >= SLOTS_AT_ONCE) return false;
    const handle = inDeliverySpan(this.tools.tracing ?? null, (delivery) => this.inTurn(delivery));
    const running = handle(this.withoutQueue(work, trace))
      .catch((error: unknown) => this.tools.logger.error({ reason: 'synthesis_failed', jobId: work.jobId, err: error }))
      .finally(() => this.taken.delete(running));
    this.taken.add(running);
    return true;
  }

  /** A wake-up that did not come from the queue. If it is returned, it goes to the queue. */
  private withoutQueue(work: Extract<Work, { kind: 'synthesis' }>, trace: TraceContext | null): Delivery {
    const retryAfter = (milliseconds: number): void => {
      setTimeout(() => void this.tools.transport.dispatch({ ...work, first: false }), milliseconds).unref();
    };
    return { work, trace, deliveries: 1, ack: () => undefined, retryAfter };
  }

  /** Runs the synthesis whose turn it is. If that is not the wake-up's own, the wake-up returns to the queue for the next free slot. */
  private async inTurn(delivery: Delivery): Promise<void> {
    const turn = await this.turns.next(delivery);
    if (turn === 'own') return this.handle(delivery);
    // The synthesis is done, or another process works on it.
    if (turn === null) return delivery.ack();
    const { jobId, isFirst: first } = turn;
    const work = { kind: 'synthesis', jobId, first } as const;
    if (jobId === delivery.work.jobId) return this.handle({ ...delivery, work, deliveries: first ? 1 : delivery.deliveries });
    delivery.retryAfter(0);
    return this.handle(this.withoutQueue(work, null));
  }

  /** Takes no new wake-ups and finishes running syntheses within `graceMs`; the rest is left to another synthesizer. */
  async stop(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(new SynthesisLeft()), graceMs);
    this.takesMore = false;
    await Promise.all([this.subscription?.stop(), ...this.taken]);
    clearTimeout(timer);
  }

  /** Runs a synthesis, and meanwhile keeps other processes from being woken for it or beginning it. */
  private async whileKept(delivery: Delivery): Promise<void> {
    // If this fails, another process may begin the same synthesis, which is harmless duplicate work.
    const keep = () => void this.tools.store.agenda.keepTaken(delivery.work.jobId).catch(() => undefined);
    const stillAtIt = setInterval(keep, STILL_AT_IT_MS);
    try {
      await patiently(() => this.due.run(delivery));
    } finally {
      clearInterval(stillAtIt);
    }
  }
}
