import { AckPolicy, connect, RetentionPolicy, StorageType, type JetStreamClient, type JsMsg } from 'nats';
import pg from 'pg';
import { batch } from '@lib/batching/batch';
import { PreparedReports, type PreparedReport } from '@lib/providers/simulated/prepared-reports';
import { CITATIONS, PROVIDERS, REPORT_LENGTH } from '../client';

interface Step {
  id: string;
  provider: string;
  reportMarkdown: string;
  citations: PreparedReport['sources'];
}

interface Append {
  event: { job: string; version: number; type: string; data: string };
  /** The job as it is read back; null while it is open. */
  document: string | null;
}

const STREAM = 'FLOOR';
const TABLES = `
  create table floor_event (job uuid, version int, type text, data text, primary key (job, version));
  create table floor_job (id uuid primary key, document text)`;
const APPEND = `
  with appended as (insert into floor_event select * from unnest($1::uuid[], $2::int[], $3::text[], $4::text[]) on conflict do nothing)
  insert into floor_job select * from unnest($5::uuid[], $6::text[])`;
const READ = 'select id, document from floor_job where id = any ($1::uuid[])';

/**
 * Nothing but the records that a durable job needs: each event in PostgreSQL before anything follows from it, committed in groups, and
 * the steps carried by JetStream. No tenants, keys, budgets, sealing, chains, deadlines, retries or real synthesis.
 */
export class FloorJobs {
  private readonly open = new Map<string, Step[]>();
  private readonly reports = new PreparedReports({ seed: 1, reportBytes: REPORT_LENGTH, citations: CITATIONS });
  private readonly append: (append: Append) => Promise<null>;
  private readonly document: (id: string) => Promise<string | null>;

  static async start(databaseUrl: string, natsUrl: string): Promise<FloorJobs> {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    await pool.query(TABLES);
    const connection = await connect({ servers: natsUrl });
    const manager = await connection.jetstreamManager();
    await manager.streams.add({ name: STREAM, subjects: ['floor.>'], storage: StorageType.File, retention: RetentionPolicy.Workqueue });
    await manager.consumers.add(STREAM, { durable_name: 'steps', ack_policy: AckPolicy.Explicit, max_ack_pending: 2_000 });
    const jobs = new FloorJobs(pool, connection.jetstream());
    const messages = await (await connection.jetstream().consumers.get(STREAM, 'steps')).consume({ max_messages: 500 });
    void (async () => {
      for await (const message of messages) void jobs.run(message);
    })();
    return jobs;
  }

  private constructor(
    private readonly pool: pg.Pool,
    private readonly stream: JetStreamClient,
  ) {
    this.append = batch((appends: Append[]) => this.write(appends), { maxItems: 1_000, width: 2 });
    this.document = batch((ids: string[]) => this.readStored(ids), { maxItems: 64 });
  }

  async create(id: string, question: string): Promise<void> {
    await this.append({ event: { job: id, version: 1, type: 'JobRequested', data: question }, document: null });
    this.open.set(id, []);
    // Off the caller's path: what got lost would be sent again from the events.
    for (const provider of PROVIDERS) void this.stream.publish(`floor.${provider}`, JSON.stringify({ id, provider, question }));
  }

  /** The job as JSON; null if there is none. */
  async read(id: string): Promise<string | null> {
    if (this.open.has(id)) return JSON.stringify({ id, status: 'running', completedAt: null, steps: [] });
    return this.document(id);
  }

  private async run(message: JsMsg): Promise<void> {
    const { id, provider, question } = message.json<{ id: string; provider: string; question: string }>();
    const { markdown, sources } = JSON.parse(this.reports.for(question, provider)) as PreparedReport;
    const step: Step = { id: `${id}-${provider}`, provider, reportMarkdown: markdown, citations: sources };
    const version = 2 + PROVIDERS.findIndex((name) => name === provider);
    await this.append({ event: { job: id, version, type: 'StepCompleted', data: JSON.stringify(step) }, document: null });
    message.ack();
    const steps = this.open.get(id);
    if (steps && steps.push(step) === PROVIDERS.length) await this.complete(id, steps);
  }

  private async complete(id: string, steps: readonly Step[]): Promise<void> {
    const synthesis = {
      synthesisMarkdown: steps.map(({ provider, reportMarkdown }) => `## ${provider}\n\n${reportMarkdown}`).join('\n\n'),
      synthesisClaimsJson: steps.map(({ provider }) => ({ claim: provider, confidence: 'low', supportingProviders: [provider] })),
    };
    const document = { id, status: 'completed', completedAt: new Date().toISOString(), steps, ...synthesis };
    const event = { job: id, version: 2 + PROVIDERS.length, type: 'JobCompleted', data: JSON.stringify(synthesis) };
    await this.append({ event, document: JSON.stringify(document) });
    this.open.delete(id);
  }

  private async write(appends: readonly Append[]): Promise<null[]> {
    const events = appends.map(({ event }) => event);
    const final = appends.filter(({ document }) => document !== null);
    const columns = [events.map(({ job }) => job), events.map(({ version }) => version), events.map(({ type }) => type)];
    const values = [...columns, events.map(({ data }) => data), final.map(({ event }) => event.job), final.map(({ document }) => document)];
    await this.pool.query({ name: 'append', text: APPEND, values });
    return appends.map(() => null);
  }

  private async readStored(ids: readonly string[]): Promise<(string | null)[]> {
    const { rows } = await this.pool.query<{ id: string; document: string }>({ name: 'read', text: READ, values: [ids] });
    const documents = new Map(rows.map(({ id, document }) => [id, document]));
    return ids.map((id) => documents.get(id) ?? null);
  }
}
