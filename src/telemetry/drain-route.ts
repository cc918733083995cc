/** A part of a process that can stop taking work while the process goes on. */
export interface Drainable {
  pause(): void;
  resume(): Promise<void>;
  /** How many pieces of work it still holds. */
  held(): number;
}

export interface DrainState {
  draining: boolean;
  held: number;
}

/** Answers `/drain`: GET says how far it is, PUT stops the intake, DELETE begins it again. */
export class DrainRoute {
  private draining = false;
  /** Serializes changes: a worker paused while it resumes would take work and report that it does not. */
  private changing: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: readonly Drainable[]) {}

  /** @throws Error if the intake could not resume; it is still stopped, and the request may be repeated */
  async answer(method: string): Promise<DrainState> {
    if (method !== 'GET') {
      const changed = this.changing.then(() => (method === 'PUT' ? this.pause() : this.resume()));
      this.changing = changed.catch(() => undefined);
      await changed;
    }
    return { draining: this.draining, held: this.parts.reduce((sum, part) => sum + part.held(), 0) };
  }

  private pause(): void {
    this.draining = true;
    for (const part of this.parts) part.pause();
  }

  private async resume(): Promise<void> {
    if (!this.draining) return;
    const resumed = await Promise.allSettled(this.parts.map((part) => part.resume()));
    const failed = resumed.find((one) => one.status === 'rejected');
    if (failed) {
      this.pause();
      throw failed.reason;
    }
    this.draining = false;
  }
}
