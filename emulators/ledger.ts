import { appendFileSync } from 'node:fs';

import type { Asked } from './asked';

/** A call to an emulated provider, or a charge. */
export interface LedgerLine {
  api: string;
  /**
   * `submit`: a run was requested, even if refused. `continue`: a paused run was to be continued. `poll`: its state was requested.
   * `cancel`: it was to be stopped. `disconnect`: the client left before the response was complete. `charge`: the run ended and was billed.
   */
  call: 'submit' | 'continue' | 'poll' | 'cancel' | 'disconnect' | 'charge';
  /** Null for a refused submit. */
  runId: string | null;
  /** Step id from the request's metadata; null if there is none. */
  stepId: string | null;
  /** The whole text of a submit; null for other calls, and if it could not be read. */
  question: string | null;
  /** ISO 8601 with milliseconds. */
  at: string;
  /** 0 except for `charge`. */
  chargedMicros: number;
}

/** Calls and charges of one emulator, in order. Append-only; a file gets each line before the call proceeds. */
export class Ledger {
  private readonly lines: LedgerLine[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly api: string,
    private readonly file: string | undefined,
  ) {}

  record(
    call: LedgerLine['call'],
    run: { id: string; asked: Asked } | null,
    asked: Asked | null = run?.asked ?? null,
    chargedMicros = 0,
  ): void {
    const line: LedgerLine = {
      api: this.api,
      call,
      runId: run?.id ?? null,
      stepId: asked?.stepId ?? null,
      question: call === 'submit' ? (asked?.question ?? null) : null,
      at: new Date().toISOString(),
      chargedMicros,
    };
    this.lines.push(line);
    if (this.file) appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    for (const wake of this.waiting) wake();
  }

  read(): readonly LedgerLine[] {
    return [...this.lines];
  }

  /** Resolves as soon as the lines meet the condition; rejects when the signal aborts. */
  async until(holds: (lines: readonly LedgerLine[]) => boolean, signal: AbortSignal): Promise<void> {
    while (!holds(this.lines)) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.waiting.add(wake);
        signal.addEventListener('abort', wake);
      });
    }
  }
}
