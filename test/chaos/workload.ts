import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../support/client';
import { Customer } from './customer';
import type { Deployment } from './deployment';
import { Observations } from './observations';
import { Random } from './random';

const CUSTOMERS = 6;
/** A customer does not wait longer for an answer; he asks another api. */
const IMPATIENCE_MS = 8_000;
const PAUSE_MS = 200;

/** Customers who come again and again until nobody is let in any more. */
export class Workload {
  readonly observations = new Observations();
  private readonly left: Promise<void>;
  private readonly closing = new AbortController();
  private isOpen = true;

  constructor(deployment: Deployment, strangersKey: string, seed: number) {
    const customers = Array.from({ length: CUSTOMERS }, (_, number) => {
      const client = new Client(deployment, IMPATIENCE_MS);
      const tools = {
        client,
        strangersKey,
        random: new Random(seed + number + 1),
        observations: this.observations,
        signal: this.closing.signal,
      };
      return new Customer(number + 1, tools);
    });
    this.left = Promise.all(customers.map((customer) => this.serve(customer))).then(() => undefined);
  }

  /** Lets everybody finish what he has begun. */
  finish(): Promise<void> {
    this.isOpen = false;
    return this.left;
  }

  abandon(): void {
    this.isOpen = false;
    this.closing.abort();
  }

  private async serve(customer: Customer): Promise<void> {
    while (this.isOpen) {
      await customer.visit().catch((error: unknown) => {
        if (!this.closing.signal.aborted) this.observations.violation(error instanceof Error ? error.message : String(error));
      });
      await delay(PAUSE_MS);
    }
  }
}
