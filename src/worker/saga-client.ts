import { batch } from '@lib/batching/batch';
import { envelope, TOO_LARGE_TOGETHER, type Answer, type Envelope, type SagaCalls } from '@lib/messaging/saga-messages';
import { SAGA_SUBJECTS, type SagaCall } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import type { SagaPort } from '../saga/saga-port';

/** Replies to claims hold questions and briefs, and reports are long; everything else is ids. */
const MAX_ITEMS: Record<SagaCall, number> = { claim: 64, report: 64, external: 256, heartbeat: 1000, abandonedRun: 64, runCancelled: 256 };
const MAX_BYTES = 256 * 1024;
const WIDTH = 4;
const TIMEOUT_MS = 5_000;

/** The saga answered that it will not do this, now or later. */
export class SagaRefused extends Error {
  override readonly name = 'SagaRefused';
}

/** The saga over the transport: what waits together travels in one message. A rejection other than `SagaRefused` may be repeated. */
export function createSagaClient(transport: Transport): SagaPort {
  const caller = <Call extends SagaCall>(call: Call): SagaPort[Call] => {
    type Request = SagaCalls[Call]['request'];
    type Reply = Answer<SagaCalls[Call]['reply']>;
    const send = batch(
      async (requests: Request[]) => {
        const answer = await transport.request(SAGA_SUBJECTS[call], envelope(requests), TIMEOUT_MS);
        return (answer as Envelope<Reply>).items;
      },
      { maxItems: MAX_ITEMS[call], maxBytes: Math.min(MAX_BYTES, transport.maxPayloadBytes() / 2), sizeOf, width: WIDTH },
    );
    const ask = async (request: Request): Promise<SagaCalls[Call]['reply']> => {
      const answer = await send(request);
      if ('reply' in answer) return answer.reply;
      if (answer.error === TOO_LARGE_TOGETHER.error) return ask(request);
      throw answer.retryable ? new Error(answer.error) : new SagaRefused(answer.error);
    };
    return ask as SagaPort[Call];
  };
  const calls = Object.keys(SAGA_SUBJECTS) as SagaCall[];
  return Object.fromEntries(calls.map((call) => [call, caller(call)])) as unknown as SagaPort;
}

/** Only reports are large; the rest of a request is ids. A UTF-16 unit is at most 3 bytes, or 6 where JSON escapes it. */
function sizeOf(request: object): number {
  if ('externalId' in request) return 200 + 3 * (request as SagaCalls['external']['request']).externalId.length;
  if (!('result' in request)) return 200;
  const { result } = request as SagaCalls['report']['request'];
  if (result.outcome === 'failed') return 500 + 3 * result.errorMessage.length;
  const citations = result.citations.map(
    ({ url, title, snippet }) => 300 + 3 * (url.length + (title?.length ?? 0) + (snippet?.length ?? 0)),
  );
  return citations.reduce((bytes, citation) => bytes + citation, 500 + 3 * result.reportMarkdown.length);
}
