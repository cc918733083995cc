import type { JobCommand } from '@lib/domain/job/commands';
import type { JobEvent } from '@lib/domain/job/events';
import { ledgerOf } from '@lib/domain/ledger';
import { A, B, candidate, complete, externalId, failure, historyOf, lose, report, request, start, success } from '../support/job-history';

const C = 'stp_c';

/** A cap of 100 cents, a markup of 25 %, 5 cents kept back for the synthesis; the third provider does not fit. */
const requested = request({
  markupBasisPoints: 2_500,
  synthesisReserveMicros: 50_000,
  candidates: [
    candidate(A, 'provider-a', 100_000, 400_000),
    candidate(B, 'provider-b', 100_000, 400_000),
    candidate(C, 'provider-c', 200_000, 200_000),
  ],
});

const ledger = (...commands: JobCommand[]) => ledgerOf(historyOf(requested, ...commands));
const linesOf = (...commands: JobCommand[]) =>
  ledger(...commands).lines.map(({ version, stepId, run, movement, micros, balance }) =>
    [version, `${stepId ?? 'synthesis'}#${run}`, movement, micros, balance.committedMicros, balance.reservedMicros].join(' '),
  );

describe('the ledger of a job', () => {
  it('tells every movement in the order of the events, with the balance after it', () => {
    const history = [
      start(A),
      report(A, 1, success(160_000)),
      start(B),
      report(B, 1, success(400_000)),
      { type: 'ClaimSynthesis', claimId: 's', model: 'm', priceDate: '2026-11-01' },
      { ...complete, paid: { claimId: 's', charge: { micros: 30_000, provenance: 'computed' }, failure: null } },
    ] satisfies JobCommand[];
    expect(linesOf(...history)).toEqual([
      '1 synthesis#1 reserved 50000 0 50000',
      '1 stp_a#1 reserved 400000 0 450000',
      '1 stp_b#1 reserved 400000 0 850000',
      '4 stp_a#1 committed 200000 200000 650000',
      '4 stp_a#1 released 200000 200000 450000',
      '6 stp_b#1 committed 400000 600000 50000',
      '6 stp_b#1 overrun 100000 600000 50000',
      '9 synthesis#1 committed 37500 637500 12500',
      '9 synthesis#1 released 12500 637500 0',
    ]);
    expect(ledger(...history).accounts[0]).toMatchObject({ stepId: null, priceDate: '2026-11-01' });
    expect(ledger(...history)).toMatchObject({
      capMicros: 1_000_000,
      markupBasisPoints: 2_500,
      chargedMicros: 637_500,
      discrepancies: [],
      totals: {
        reservedMicros: 850_000,
        heldMicros: 0,
        committedMicros: 637_500,
        releasedMicros: 212_500,
        lostMicros: 0,
        overrunMicros: 100_000,
        lateMicros: 0,
      },
    });
  });

  it('keeps an account for each run, with what the provider billed, how that is known, and the date of its prices', () => {
    const again = failure({ charge: { micros: 8_000, provenance: 'computed' } });
    expect(ledger(start(A), report(A, 1, again), start(A, 'again'), report(A, 2, success(100_000))).accounts).toMatchObject([
      { stepId: null, run: 1, provider: null, heldMicros: 50_000, charge: null },
      {
        stepId: A,
        run: 1,
        provider: 'provider-a',
        priceDate: '2026-11-21',
        committedMicros: 10_000,
        charge: { micros: 8_000, provenance: 'computed' },
      },
      { stepId: B, run: 1, submitted: false, heldMicros: 400_000 },
      { stepId: C, run: 1, reservedMicros: 0 },
      { stepId: A, run: 2, committedMicros: 125_000, charge: { micros: 100_000, provenance: 'reported' } },
    ]);
  });

  it('calls lost what was held for a run of unknown cost when the job ended, and late what is learned of it afterwards', () => {
    const cancelled: JobCommand[] = [start(A), externalId(A, 1), { type: 'CancelJob' }];
    expect(linesOf(...cancelled).slice(3)).toEqual([
      '6 stp_b#1 released 400000 0 450000',
      '7 synthesis#1 released 50000 0 400000',
      '7 stp_a#1 lost 400000 0 0',
    ]);
    const late = ledger(...cancelled, report(A, 1, success(640_000)));
    expect(late.lines.at(-1)).toMatchObject({ movement: 'late', micros: 800_000, charge: { micros: 640_000 } });
    expect(late).toMatchObject({
      chargedMicros: 0,
      totals: { committedMicros: 0, lostMicros: 400_000, lateMicros: 800_000 },
      discrepancies: [],
    });
  });

  it('shows a charge that is told twice, and moves nothing for it', () => {
    const twice = [start(A), externalId(A, 1), lose(A, 1), start(A, 'again'), report(A, 2, success(80_000)), report(A, 1, success(90_000))];
    expect(linesOf(...twice).slice(3)).toEqual([
      '7 stp_a#1 committed 100000 100000 750000',
      '7 stp_a#1 released 300000 100000 450000',
      '8 stp_a#1 repeated 0 100000 450000',
    ]);
  });

  it('has no account for a synthesis that nothing was kept back for', () => {
    const { accounts, lines } = ledgerOf(historyOf(request()));
    expect([accounts, lines].map((all) => all.map(({ stepId }) => stepId))).toEqual([
      [A, B],
      [A, B],
    ]);
  });

  it('moves nothing for a job that asks again', () => {
    const failed: JobCommand[] = [
      start(A),
      report(A, 1, failure({ errorClass: 'auth', runEnded: true })),
      start(B),
      report(B, 1, success()),
    ];
    const ended = historyOf(requested, ...failed, complete);
    const asked: JobEvent = { type: 'JobRedriven', facts: { jobId: 'job_2', stepIds: [A], capCents: 60 } };
    expect(ledgerOf([...ended, asked]).lines).toEqual(ledgerOf(ended).lines);
    expect(ledgerOf([...ended, asked]).discrepancies).toEqual([]);
  });

  it('moves nothing for what is reserved of a balance', () => {
    const [first, ...rest] = historyOf(requested, start(A)) as [JobEvent, ...JobEvent[]];
    const reserved: JobEvent = { type: 'BalanceReserved', facts: { cents: 100 } };
    const [limited, free] = [ledgerOf([first, reserved, ...rest]), ledgerOf([first, ...rest])];
    expect([limited.accounts, limited.totals, limited.discrepancies]).toEqual([free.accounts, free.totals, []]);
  });

  it('charges nothing for what is not final, and has read nothing of an empty history', () => {
    expect(ledger(start(A), report(A, 1, success(160_000))).chargedMicros).toBeNull();
    expect(ledgerOf([])).toMatchObject({ lines: [], accounts: [], chargedMicros: null, discrepancies: [] });
  });
});

it('the ledger does not guess at an event of a newer build', () => {
  expect(() => ledgerOf([...historyOf(requested), { type: 'JobPainted' } as never])).toThrow(
    'unknown job event {"type":"JobPainted"}: this version is older than the history it reads',
  );
});

describe('a history that contradicts itself', () => {
  const history = historyOf(
    requested,
    start(A),
    report(A, 1, success(160_000)),
    start(B),
    { type: 'ReachDeadline', phase: 'running' },
    complete,
  );
  const withFacts = (type: JobEvent['type'], facts: object) =>
    history.map((event) => (event.type === type ? ({ ...event, facts: { ...event.facts, ...facts } } as JobEvent) : event));

  it('is none to begin with', () => expect(ledgerOf(history).discrepancies).toEqual([]));

  it.each<[string, object, JobEvent['type'], RegExp]>([
    [
      'charges the customer for the overrun',
      { committedMicros: 450_000, overrunMicros: -250_000 },
      'StepCompleted',
      /commits 450000 .* of 200000/,
    ],
    ['commits more than a run holds', { committedMicros: 450_000 }, 'StepCompleted', /takes more than run 1 of stp_a holds/],
    ['forgets the markup', { committedMicros: 160_000 }, 'StepCompleted', /books 160000 .* which costs 200000/],
    ['charges another run', { stepId: 'stp_z' }, 'StepCompleted', /run 1 of stp_z, for which nothing was reserved/],
    ['grants more than was reserved', { reservedMicros: 400_001 }, 'StepStarted', /grants 400001 .* reserved 400000/],
    ['freezes another charge', { chargedMicros: 200_001 }, 'JobCompleted', /says charged 200001, the accounts say 200000/],
    ['hides a loss', { lostMicros: 0 }, 'JobCompleted', /says lost 0, the accounts say 400000/],
    ['has a smaller cap than it reserved', { budgetCapCents: 84 }, 'JobRequested', /goes above the cap of 840000/],
    ['has no cap', { budgetCapCents: undefined }, 'JobRequested', /names no cap/],
    ['commits what is no amount', { committedMicros: Number.NaN }, 'StepCompleted', /committed NaN is no amount/],
  ])('%s', (_, facts, type, discrepancy) => {
    expect(ledgerOf(withFacts(type, facts)).discrepancies.join('\n')).toMatch(discrepancy);
  });

  it('settles a run twice, reserves a run twice, goes on after its end', () => {
    const twice = (type: JobEvent['type']) =>
      ledgerOf(history.flatMap((event) => (event.type === type ? [event, event] : [event]))).discrepancies;
    expect(twice('StepCompleted').join()).toMatch(/books 200000 and an overrun of 0 for run 1 of stp_a, which costs 0/);
    expect(twice('JobRequested').join()).toMatch(/reserves for run 1 of stp_a again/);
    expect(twice('JobCompleted').join()).toMatch(/ends the job again/);
    expect(ledgerOf([...history, ...history.filter(({ type }) => type === 'StepStarted')]).discrepancies.join()).toMatch(/after the end/);
  });
});
