/** A part of a process that can stop taking work while the process goes on. */
export interface Drainable {
  pause(): void;
  resume(): Promise<void>;
  /** How many pieces of work are in its hands. */
  held(): number;
}

export interface DrainState {
  draining: boolean;
  held: number;
}

/** Answers `/drain`: GET says how far it is, PUT stops the intake, DELETE begins it again. */
export class DrainRoute {
  private draining = false;

  constructor(private readonly parts: readonly Drainable[]) {}

  async answer(method: string): Promise<DrainState> {
    if (method === 'PUT' && !this.draining) {
      this.draining = true;
      for (const part of this.parts) part.pause();
    }
    if (method === 'DELETE' && this.draining) {
      this.draining = false;
      await Promise.all(this.parts.map((part) => part.resume()));
    }
    return { draining: this.draining, held: this.parts.reduce((sum, part) => sum + part.held(), 0) };
  }
}
