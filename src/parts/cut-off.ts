import { cutOffPayload, CUT_OFF_SUBJECT, type CutOffProcess } from '@lib/messaging/cut-off-processes';
import { serverAnswers, type Pool } from '@lib/store/postgres/pool';
import type { Process } from './process';

/** As often as workers announce themselves: `research status` listens for a little longer. */
const EVERY_MS = 5_000;

/** While the database cannot be reached, says so over NATS, for `research status`: there this process has no session that would show it. */
export function tellCutOff({ transport, closing }: Process, own: CutOffProcess, { pool, url }: { pool: Pool; url: string }): void {
  let isCutOff = false;
  let isAsking = false;
  const ask = async (): Promise<void> => {
    isAsking = true;
    // Where the pool is only busy, or the statement is refused, the server still answers.
    isCutOff = await pool.query('select').then(
      () => false,
      async () => !(await serverAnswers(url)),
    );
    isAsking = false;
  };
  const timer = setInterval(() => {
    if (isCutOff) transport.publish(CUT_OFF_SUBJECT, cutOffPayload(own));
    // A server that is silent is waited for longer than one turn.
    if (!isAsking) void ask();
  }, EVERY_MS).unref();
  closing.defer(() => clearInterval(timer));
}
