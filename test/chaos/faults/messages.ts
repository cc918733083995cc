import { connect, type NatsConnection } from 'nats';
import { SAGA_SUBJECTS, workPayload, workSubject, type Work } from '@lib/messaging/subjects';
import type { Deployment } from '../deployment';
import type { FaultKind } from '../schedule';
import { Random } from '../random';
import { withConnection } from './brokers';
import type { Fault } from './evidence';
import { held } from './held';

interface Overheard {
  subject: string;
  data: Uint8Array;
}

const REMEMBERED = 400;
const ANSWER_MS = 1_000;
/** Wants the server's word that an entry is stored. */
const isStored = async (connection: NatsConnection, subject: string, data: string | Uint8Array): Promise<boolean> =>
  connection
    .request(subject, data, { timeout: ANSWER_MS })
    .then((answer) => answer.json<{ error?: unknown }>().error === undefined)
    .catch(() => false);

/** Hears what workers tell the saga, to say it again later. */
export class Eavesdropper {
  private readonly heard: Overheard[] = [];

  private constructor(private readonly connection: NatsConnection) {}

  static async start(deployment: Deployment): Promise<Eavesdropper> {
    const connection = await connect({ servers: deployment.brokerUrls(), ignoreClusterUpdates: true, maxReconnectAttempts: -1 });
    const eavesdropper = new Eavesdropper(connection);
    for (const subject of Object.values(SAGA_SUBJECTS)) {
      connection.subscribe(subject, {
        callback: (_, message) => {
          eavesdropper.heard.push({ subject: message.subject, data: message.data });
          if (eavesdropper.heard.length > REMEMBERED) eavesdropper.heard.shift();
        },
      });
    }
    return eavesdropper;
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** Claims, run ids and reports of attempts that may be over for long, the last one first. */
  readonly repeat: Fault = async (deployment, { seed }) => {
    const random = new Random(seed);
    await held(0, () => (this.heard.length > 0 ? 'heard' : null));
    const again = random.shuffled(this.heard).slice(0, 30);
    return withConnection(deployment, async (connection) => {
      for (const { subject, data } of again) connection.publish(subject, data, { reply: 'nobody.listens' });
      const entries = await staleEntries(deployment, random);
      const stored = await Promise.all(entries.map((work) => isStored(connection, workSubject(work), JSON.stringify(workPayload(work)))));
      await connection.flush();
      const count = again.length + stored.filter(Boolean).length;
      return count > 0 ? 'messages were sent again' : null;
    });
  };
}

/** Wake-ups for what has long been done, is being done, or is not due yet. */
async function staleEntries(deployment: Deployment, random: Random): Promise<Work[]> {
  const rows = await deployment
    .sql<{ job: string; step: string; provider: 'provider-a' }>(
      `select stream_id as job, facts ->> 'stepId' as step, plan ->> 'provider' as provider from event
        join lateral (select jsonb_array_elements(facts -> 'plan') as plan from event as request
          where request.stream_id = event.stream_id and version = 1) plans on plan ->> 'stepId' = facts ->> 'stepId'
        where type = 'StepStarted' order by position desc limit 40`,
    )
    .catch(() => []);
  return random
    .shuffled(rows)
    .slice(0, 8)
    .map(({ job: jobId, step: stepId, provider }) =>
      random.pick<Work>([
        { kind: 'step', provider, jobId, stepId, resumes: random.chance(0.5) },
        { kind: 'explore', jobId },
        { kind: 'synthesis', jobId, first: random.chance(0.5) },
        { kind: 'cancel', provider, jobId, stepId, run: random.integer(1, 3) },
      ]),
    );
}

const JOB = 'job_01h455vb4pex5vsknk084sn02q';
const STEP = 'stp_01h455vb4pex5vsknk084sn02q';
const LARGE = 'x'.repeat(900_000);

/** What nobody who keeps to the protocol sends. */
const POISON = [
  'not JSON',
  '',
  'null',
  '[]',
  LARGE,
  '\u0000\ufffe{',
  JSON.stringify({ v: 1 }),
  JSON.stringify({ v: 1, kind: 'step', provider: 'provider-a', jobId: 'job_another', stepId: STEP, resumes: false }),
  JSON.stringify({ v: 1, kind: 'step', provider: 'provider-a', jobId: JOB, stepId: STEP, resumes: false }),
  JSON.stringify({ v: 1, items: [null, 7, {}, { jobId: JOB, stepId: STEP, attempt: -1 }, { jobId: LARGE, stepId: STEP, claimId: '' }] }),
  JSON.stringify({
    v: 1,
    items: [{ jobId: JOB, stepId: STEP, claimId: 'a claim', attempt: 1, externalId: 'run', result: { outcome: 'completed' } }],
  }),
  JSON.stringify({ v: 1, items: 'many' }),
];
/** An entry of the work queue that says so is left to a newer build, for as long as the stream keeps it. */
const NEWER = JSON.stringify({ v: 99, items: [{}] });
const WORK_SUBJECTS = [
  `work.step.provider-a.${JOB}.${STEP}`,
  `work.step.provider-b.${JOB}.${STEP}`,
  `work.cancel.provider-a.${JOB}.${STEP}.1`,
  `work.explore.${JOB}`,
  `work.synthesis.${JOB}`,
];

const poisoned: Fault = async (deployment, { seed }) => {
  const random = new Random(seed);
  return withConnection(deployment, async (connection) => {
    for (const subject of Object.values(SAGA_SUBJECTS))
      for (const data of [...POISON, NEWER]) connection.publish(subject, data, { reply: 'nobody.listens' });
    await connection.flush();
    // A stream that was wiped is made again by whoever needs it next.
    return held(0, async () => {
      const entries = random.shuffled(WORK_SUBJECTS).map((subject) => isStored(connection, subject, random.pick(POISON)));
      return (await Promise.all(entries)).some(Boolean) ? 'poison was stored and sent' : null;
    });
  });
};

export const messageFaults = (eavesdropper: Eavesdropper): Partial<Record<FaultKind, Fault>> => ({
  'old messages sent again': eavesdropper.repeat,
  'poison messages': poisoned,
});
