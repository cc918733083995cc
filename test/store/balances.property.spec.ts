import { balanceDifferences } from '@lib/store/balances/balance-differences';
import type { Store } from '@lib/store/store';
import { complete, failure, report, start, success } from '../support/job-history';
import fc from '../support/properties';
import { candidate, createJob, createTestStore, META, type TestStore } from '../support/store';
import { onJob, refusal } from '../support/streams';

jest.setTimeout(240_000);

const MICROS_PER_CENT = 10_000;
const QUIET = 'nothing was refused';

let test: TestStore;
let processes: Store[];
beforeAll(async () => {
  test = await createTestStore();
  processes = [test.store, test.another()];
});
afterAll(() => test.close());

/** What is done to a job that is open, or was. `cents` may be more than its provider may charge. */
type Deed = 'complete' | 'fail' | 'cancel' | 'charge and cancel' | 'late' | 'delete';
interface OnJob {
  kind: Deed;
  micros: number;
  which: number;
}
type Act = { kind: 'create' | 'top_up' | 'adjustment'; cents: number } | OnJob;

const amount = fc.integer({ min: 1, max: 300 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), cents: amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('top_up' as const), cents: amount }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('adjustment' as const),
      cents: fc.integer({ min: -300, max: 100 }).filter((cents) => cents !== 0),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom<Deed[]>('complete', 'fail', 'cancel', 'charge and cancel', 'late', 'delete'),
      micros: fc.integer({ min: 0, max: 4_000_000 }),
      which: fc.nat(),
    }),
  },
);
/** The acts of a group happen at once, in two processes. */
const schedules = fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

interface Job {
  threadId: string;
  jobId: string;
  stepIds: string[];
  cents: number;
  /** What its provider may charge; the rest of its cap is never spent. */
  mostCents: number;
  costCents: number | null;
}

/** Keeps the books of one tenant by what it was told, and by nothing that the service computes. */
class Bookkeeper {
  readonly jobs: Job[] = [];
  private paidIn = 0;

  constructor(
    private readonly tenantId: string,
    private readonly take: () => number,
  ) {}

  get reserved(): number {
    return this.jobs.reduce((sum, { cents, costCents }) => sum + (costCents === null ? cents : 0), 0);
  }
  get available(): number {
    return this.paidIn - this.reserved - this.jobs.reduce((sum, { costCents }) => sum + (costCents ?? 0), 0);
  }

  /** @returns the cents of what was refused, if it was */
  async perform(process: Store, act: Act, busy: Set<Job>): Promise<number | null> {
    if ('cents' in act) return act.kind === 'create' ? this.create(process, act.cents) : this.pay(process, act.kind, act.cents);
    const known = this.jobs[act.which % this.jobs.length];
    // Of two deeds on one job at once nobody knows which was first.
    if (!known || busy.has(known)) return null;
    busy.add(known);
    await this.end(process, known, act.kind, act.micros);
    return null;
  }

  private async create(process: Store, cents: number): Promise<number | null> {
    const mostCents = Math.floor(cents / 2);
    const candidates = [candidate('provider-a', { max: mostCents * MICROS_PER_CENT })];
    const created = createJob(process, { tenantId: this.tenantId, budgetCapCents: cents, balanceReservedCents: cents, candidates });
    const outcome = await refusal(created);
    if (outcome !== QUIET) {
      expect(outcome).toBe('insufficient_balance');
      return cents;
    }
    this.jobs.push({ ...(await created), cents, mostCents, costCents: null });
    return null;
  }

  private async pay(process: Store, kind: 'top_up' | 'adjustment', cents: number): Promise<number | null> {
    const change = { tenantId: this.tenantId, kind, cents, reference: `${this.take()}` };
    const { outcome } = await process.balances.change(change);
    if (outcome !== 'recorded') {
      expect([outcome, cents < 0]).toEqual(['insufficient', true]);
      return -cents;
    }
    expect((await process.balances.change(change)).outcome).toBe('repeated');
    this.paidIn += cents;
    return null;
  }

  private async end(process: Store, job: Job, deed: Deed, micros: number): Promise<void> {
    const [stepId = ''] = job.stepIds;
    const charged = Math.ceil(Math.min(micros, job.mostCents * MICROS_PER_CENT) / MICROS_PER_CENT);
    const isOpen = job.costCents === null;
    // What comes after the end is refused where nothing had begun.
    const run = (...commands: Parameters<typeof onJob>[2][]) =>
      isOpen ? onJob(process, job.jobId, ...commands) : refusal(onJob(process, job.jobId, ...commands));
    if (deed === 'complete') await run(start(stepId), report(stepId, 1, success(micros)), complete);
    if (deed === 'fail')
      await run(start(stepId), report(stepId, 1, failure({ errorClass: 'auth', charge: { micros, provenance: 'reported' } })));
    if (deed === 'cancel') await run(start(stepId), { type: 'CancelJob' });
    if (deed === 'charge and cancel') await run(start(stepId), report(stepId, 1, success(micros)), { type: 'CancelJob' });
    if (deed === 'late') await run(start(stepId), { type: 'CancelJob' }, report(stepId, 1, success(micros)));
    if (deed === 'delete') {
      await refusal(process.threads.delete(job.threadId, this.tenantId, META));
      await process.erasure.erase(job.threadId);
    }
    const isCharged = deed === 'complete' || deed === 'fail' || deed === 'charge and cancel';
    if (isOpen) job.costCents = isCharged ? charged : 0;
  }
}

it('is what an independent bookkeeper says after whatever happens at once, and refuses only what it does not cover', async () => {
  let tenants = 0;
  let references = 0;
  const seen = { refused: 0, accepted: 0, deeds: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const tenantId = `tenant-${++tenants}`;
      const books = new Bookkeeper(tenantId, () => ++references);
      for (const group of schedule) {
        const before = { available: books.available, jobs: books.jobs.length };
        const busy = new Set<Job>();
        const refused = await Promise.all(group.map((one, place) => books.perform(processes[place % 2] as Store, one, busy)));
        expect(await test.store.balances.read(tenantId)).toEqual({ availableCents: books.available, reservedCents: books.reserved });
        expect(books.available).toBeGreaterThanOrEqual(0);
        const taken = books.jobs.slice(before.jobs).reduce((sum, { cents }) => sum + cents, 0);
        const withdrawn = group.reduce(
          (sum, one, place) => (one.kind === 'adjustment' && refused[place] === null ? sum - Math.min(one.cents, 0) : sum),
          0,
        );
        // At its lowest, with everything taken and nothing given back yet, it could not cover what was refused.
        for (const cents of refused) if (cents !== null) expect(cents).toBeGreaterThan(before.available - taken - withdrawn);
        for (const { kind } of group) seen.deeds.add(kind);
        seen.refused += refused.filter((cents) => cents !== null).length;
      }
      seen.accepted += books.jobs.length;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect((await balanceDifferences(test.store.pool)).differences).toEqual([]);
  expect([...seen.deeds].sort()).toEqual([
    'adjustment',
    'cancel',
    'charge and cancel',
    'complete',
    'create',
    'delete',
    'fail',
    'late',
    'top_up',
  ]);
  expect(Math.min(seen.refused, seen.accepted)).toBeGreaterThan(20);
});
