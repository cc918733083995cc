import { tellHolding, type Held } from '@lib/memory/holdings';
import type { FinishedSpan } from './tracing';

/** Most spans that wait to be exported; further ones are dropped. */
const MAX_WAITING = 2_048;
const MAX_TOGETHER = 512;
const WAIT_MS = 1_000;
/** Estimated size of a span. */
const SPAN_BYTES = 1_500;

export type SpanOutcome = 'exported' | 'dropped' | 'failed';

/**
 * Spans that wait to be exported. Adding one never waits and never fails: a slow or missing collector only loses spans, which are counted.
 */
export class SpanQueue {
  private waiting: FinishedSpan[] = [];
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** @param send never rejects; false where they were not taken */
  constructor(
    private readonly send: (spans: FinishedSpan[]) => Promise<boolean>,
    private readonly count: (outcome: SpanOutcome, spans: number) => void,
  ) {
    tellHolding(this, 'spans', (MAX_WAITING + MAX_TOGETHER) * SPAN_BYTES, SpanQueue.held);
  }

  private static held({ waiting }: SpanQueue): Held {
    return { items: waiting.length, bytes: waiting.length * SPAN_BYTES };
  }

  add(span: FinishedSpan): void {
    if (this.waiting.length >= MAX_WAITING) return this.count('dropped', 1);
    this.waiting.push(span);
    if (this.sending) return;
    if (this.waiting.length >= MAX_TOGETHER) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), WAIT_MS).unref();
  }

  /** Sends what is queued; spans that cannot be sent are lost. */
  async close(): Promise<void> {
    this.flush();
    await this.sending;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const spans = this.waiting.splice(0, MAX_TOGETHER);
      this.count((await this.send(spans)) ? 'exported' : 'failed', spans.length);
    }
  }
}
