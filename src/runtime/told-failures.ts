import type { Logger } from 'pino';
import { Repeats } from '@lib/memory/repeats';
import { isOutage } from '@lib/store/postgres/store-unavailable';

const DATABASE = 'Start PostgreSQL, or check DATABASE_URL: `research doctor` says what it answers.';

/** The log of a part that tries again all the time: it says what fails at once and then every minute, and that it works again. */
export class ToldFailures {
  private readonly repeats = new Repeats();

  constructor(
    private readonly logger: Logger,
    private readonly reason: string,
    private readonly message: string,
  ) {}

  failed(error: unknown): void {
    const told = this.repeats.failed(error);
    if (told) this.logger.warn({ reason: this.reason, ...told, ...(isOutage(error) && { remedy: DATABASE }), err: error }, this.message);
  }

  worked(): void {
    if (this.repeats.worked()) this.logger.info({ reason: 'works_again', after: this.reason }, 'what failed works again');
  }
}
