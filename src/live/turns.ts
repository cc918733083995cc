/** Lets many do something soon, but only a few in each turn of the event loop: other requests are answered in between. */
export class Turns {
  private readonly due = new Map<object, () => Promise<void> | void>();
  private acting = 0;
  private isNextComing = false;

  /** @param together how many act at a time, and begin to in one turn */
  constructor(private readonly together: number) {}

  /** Of whoever is due already, only what is given last is done. */
  add(whose: object, act: () => Promise<void> | void): void {
    this.due.set(whose, act);
    this.goOn();
  }

  remove(whose: object): void {
    this.due.delete(whose);
  }

  private goOn(): void {
    if (this.isNextComing || this.due.size === 0 || this.acting >= this.together) return;
    this.isNextComing = true;
    setImmediate(() => this.begin());
  }

  private begin(): void {
    this.isNextComing = false;
    for (const [whose, act] of this.due) {
      if (this.acting >= this.together) return;
      this.due.delete(whose);
      this.acting += 1;
      void this.run(act);
    }
  }

  private async run(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } finally {
      this.acting -= 1;
      this.goOn();
    }
  }
}
