import { messageOfError } from '@lib/domain/message-of-error';
import { readEnv } from '@lib/settings/read-env';
import { openOperatorPool } from '../database';
import type { Attention } from './attention';
import { askAll, isDatabaseSilent, type Status } from './status-answers';
import { attentionTo } from './status-attention';
import { statusText } from './status-text';

const NEEDS_ATTENTION = 1;
const NOT_ASKED = 2;
/** Limit for each statement, so that whoever is on call does not wait for a database that hangs. */
const STATEMENT_MS = 10_000;
/** Exit code 0 if nothing needs attention, 1 if something does, 2 if the database could not be asked. */
export async function statusCommand({ json = false }: { json?: boolean }): Promise<void> {
  const env = readEnv(process.env);
  await using closing = new AsyncDisposableStack();
  try {
    const { pool } = await openOperatorPool(env, closing, 2, STATEMENT_MS);
    const status = await askAll(pool, env);
    const attention = attentionTo(status, { signsEveryMs: env.CHECKPOINT_MS, speaksNats: env.NATS_URL !== undefined });
    process.stdout.write(json ? `${JSON.stringify(documentOf(status, attention))}\n` : statusText(status, attention));
    if (isDatabaseSilent(status)) process.exitCode = NOT_ASKED;
    else if (attention.length > 0) process.exitCode = NEEDS_ATTENTION;
  } catch (error) {
    const why = messageOfError(error);
    if (json) process.stdout.write(`${JSON.stringify({ notAsked: [{ what: 'database', why }] })}\n`);
    else process.stderr.write(`could not look: ${why}\n`);
    process.exitCode = NOT_ASKED;
  }
}

const documentOf = (status: Status, attention: readonly Attention[]): object => ({
  ...status,
  gates: status.gates && Object.fromEntries(status.gates),
  attention,
});
