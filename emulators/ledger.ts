import { appendFileSync } from 'node:fs';

import type { Asked } from './asked';

/** One thing that an emulated provider was asked to do, or charged. */
export interface LedgerLine {
  api: string;
  /**
   * `submit`: asked for a run, also if it was refused. `continue`: asked to go on with a paused one. `poll`: asked how it stands.
   * `cancel`: asked to stop it. `disconnect`: the client went away before the answer was complete. `charge`: the run ended and was billed.
   */
  call: 'submit' | 'continue' | 'poll' | 'cancel' | 'disconnect' | 'charge';
  /** Null for a submit that was refused. */
  runId: string | null;
  /** What the request said about who asks; null where it said nothing. */
  stepId: string | null;
  /** What a submit asked, whole; null for other calls, and where it could not be read. */
  question: string | null;
  /** ISO 8601 with milliseconds. */
  at: string;
  /** Not 0 for `charge` alone. */
  chargedMicros: number;
}

/** What one emulator was asked for and charged, in order. Lines are only ever appended; a file gets each before the call goes on. */
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

  /** Resolves as soon as the lines are as described; rejects when the signal aborts. */
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
