import { setImmediate as turn } from 'node:timers/promises';
import type { NatsLink } from './nats-connection';
import { INBOX } from './subjects';

/** Inboxes that are remembered: one for each process that asks. */
const MAX_REFUSED = 1_000;
/** No request has this number, so the asker ignores a message for it. */
const NO_REQUEST = '0';

/**
 * Whether the server lets us answer. A saga whose answers nobody hears must not go on deciding: it would grant one attempt after the other that
 * nobody makes, until the job has none left, and would take the requests from sagas that can answer.
 */
export class NatsReplies {
  private readonly refused = new Set<string>();
  private readonly tries = new Map<string, Promise<boolean>>();

  constructor(private readonly link: NatsLink) {
    link.onRefused((address) => this.refuse(address));
    link.onUp(() => this.refused.clear());
  }

  /** If the last answer into the same inbox was refused, tries again with an empty message. */
  async mayAnswer(reply: string): Promise<boolean> {
    const inbox = inboxOf(reply);
    if (!this.refused.has(inbox)) return true;
    let underWay = this.tries.get(inbox);
    if (!underWay) {
      underWay = this.tryAgain(inbox).finally(() => this.tries.delete(inbox));
      this.tries.set(inbox, underWay);
    }
    return underWay;
  }

  private async tryAgain(inbox: string): Promise<boolean> {
    const connection = this.link.current();
    if (!connection) return false;
    let isRefused = false;
    const stopHearing = this.link.onRefused((address) => {
      if (inboxOf(address) === inbox) isRefused = true;
    });
    connection.publish(`${inbox}.${NO_REQUEST}`);
    // If the server refuses the message, the refusal arrives before the answer to this flush.
    const isSent = await connection.flush().then(
      () => true,
      () => false,
    );
    await turn();
    stopHearing();
    if (!isSent || isRefused) return false;
    this.refused.delete(inbox);
    return true;
  }

  private refuse(address: string): void {
    if (!address.startsWith(`${INBOX}.`)) return;
    const [oldest] = this.refused;
    if (oldest !== undefined && this.refused.size >= MAX_REFUSED) this.refused.delete(oldest);
    this.refused.add(inboxOf(address));
  }
}

const inboxOf = (reply: string): string => reply.slice(0, reply.lastIndexOf('.'));
