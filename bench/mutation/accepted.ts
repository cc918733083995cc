import type { Mutant } from './instrument';

/** A mutant that no test has to notice, found by its file and what it changes. */
export interface Accepted extends Pick<Mutant, 'file' | 'original' | 'replacement'> {
  /** Text that the line must contain, if the same mutation occurs elsewhere in the file. */
  inLine?: string;
  reason: string;
}

export const ACCEPTED: readonly Accepted[] = [
  {
    ...{ file: 'libs/domain/job/state.ts', original: '{ queueMs: 0, jobMs: 0, synthesisMs: 0 }', replacement: '{}' },
    reason: 'of a job that does not exist yet: its first event sets it before anything reads it',
  },
  ...["''", "'M'", "'fast'"].map((original) => ({
    ...{ file: 'libs/domain/job/state.ts', original, replacement: original === "''" ? `'mutated'` : `''` },
    reason: 'of a job that does not exist yet: its first event sets it before anything reads it',
  })),
  {
    ...{ file: 'libs/domain/thread.ts', original: `''`, replacement: `'mutated'` },
    reason: 'of a thread that does not exist yet: its first event sets it before anything reads it',
  },
  {
    ...{ file: 'libs/domain/tenant.ts', original: `''`, replacement: `'mutated'` },
    reason: 'of a tenant that does not exist yet: its first event sets it before anything reads it',
  },
  {
    ...{ file: 'libs/domain/job/events.ts', original: 'true', replacement: 'false' },
    reason: 'the names alone are read: the values let the compiler see that none is missing',
  },
  {
    ...{ file: 'libs/domain/title.ts', original: 'line.slice(0, MAX_GRAPHEMES + 1)', replacement: 'line' },
    reason: 'spares looking at the rest of a long line; one that has other characters there is cut at the same place by the segmenter',
  },
  {
    ...{
      file: 'libs/domain/title.ts',
      original: '{\n    return line.length > MAX_GRAPHEMES ? line.slice(0, KEPT_GRAPHEMES) + ELLIPSIS : line;\n  }',
      replacement: '',
    },
    reason: 'spares the segmenter, which cuts such a line at the same place',
  },
  {
    ...{ file: 'libs/domain/budget.ts', original: 'reservedMicros ?? 0', replacement: '(reservedMicros)' },
    reason: 'less nothing is less null: the fallback is for the compiler',
  },
  {
    ...{ file: 'src/saga/steadiness.ts', original: 'this.timer', replacement: 'true' },
    reason: 'clearing no timer does nothing',
  },
  {
    ...{ file: 'src/saga/saga-server.ts', original: 'this.standstill.stop();', replacement: '' },
    reason: 'the timer holds no process and touches nothing that is looked at any more',
  },
  {
    ...{ file: 'libs/domain/ledger-book.ts', original: `'JobRequested'`, replacement: `''` },
    reason: 'of a ledger without a line yet: the first event turns the page before anything is written on it',
  },
  {
    ...{
      file: 'libs/domain/money.ts',
      original: `PROVENANCES.findLast((name) => name === one.provenance || name === other.provenance) ?? 'estimated'`,
      replacement: '(PROVENANCES.findLast((name) => name === one.provenance || name === other.provenance))',
    },
    reason: 'both are in the list: the fallback is for the compiler',
  },
  {
    ...{ file: 'src/synthesizer/synthesizer.ts', original: 'clearTimeout(timer);', replacement: '' },
    reason: 'what the timer aborts has ended by then',
  },
  {
    ...{ file: 'src/synthesizer/synthesizer.ts', original: 'tries !== null', replacement: 'true' },
    reason: 'saves a look at the job, whose state says too that no synthesis is due',
  },
  {
    ...{
      file: 'src/synthesizer/explorer.ts',
      original: 'mentioned[0]?.topic?.topic ?? null',
      replacement: '(mentioned[0]?.topic?.topic)',
    },
    reason: 'a topic is mentioned by one step at least, and by none here that has no topic: the fallback is for the compiler',
  },
  {
    ...{ file: 'src/synthesizer/model-synthesis.ts', original: 'floor', replacement: 'ceil' },
    reason: 'a part of a millisecond of the time in which the model has to answer',
  },
  {
    ...{ file: 'src/saga/claim-reply.ts', original: 'parentJobId === null', replacement: 'false' },
    reason: 'spares a question: the views know of no job without an id either',
  },
  ...[
    ['||', '&&'],
    ['stepId === null || run === null', 'false'],
  ].map(([original = '', replacement = '']) => ({
    ...{ file: 'src/saga/given-up-runs.ts', original, replacement },
    reason: 'an entry of a run has both: the condition is for the compiler',
  })),
  {
    ...{ file: 'src/worker/submit-limit.ts', original: '!(refused instanceof RateLimiterRes)', replacement: 'false' },
    reason: 'a limiter in memory refuses with nothing else: the condition is for the compiler',
  },
  {
    ...{ file: 'src/saga/replica.ts', original: 'over.abort();', replacement: '' },
    reason: 'the race is over: the timer would only go on for the time of a try',
  },
  {
    ...{ file: 'src/worker/claim.ts', original: '{ signal: answered.signal }', replacement: '{}' },
    reason: 'the race is over: the timer would only go on for the time of the claim',
  },
  {
    ...{
      file: 'src/saga/retention.ts',
      original: 'await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);',
      replacement: '',
    },
    reason: 'a pause between two looks, for the sake of whoever writes beside them',
  },
  {
    ...{
      file: 'src/saga/steadiness.ts',
      original: 'this.transport.connectedForMs() ?? 0',
      replacement: '(this.transport.connectedForMs())',
    },
    reason: 'the least of null and a number is counted with 0: the fallback is for the compiler',
  },
  {
    ...{ file: 'src/worker/attempt.ts', original: 'this.tools.tracing ?? null', replacement: '(this.tools.tracing)' },
    reason: 'nothing is traced in either case: the fallback is for the compiler',
  },
  {
    ...{ file: 'src/saga/claim-reply.ts', original: '{ ref: false }', replacement: '{}' },
    reason: 'keeps a timer from holding a process that is about to end',
  },
  {
    ...{ file: 'src/saga/admission.ts', original: 'down || heldUntil > now', replacement: 'true' },
    reason: 'spares a question: the database says as well whether the step may start',
  },
  {
    ...{ file: 'src/saga/admission.ts', original: '>', replacement: '>=', inLine: 'down || heldUntil > now' },
    reason: 'a question more within one tick of the clock: the database says as well whether the step may start',
  },
  {
    ...{ file: 'src/runtime/standstill.ts', original: '-Infinity', replacement: '+Infinity' },
    reason: 'until a standstill has ended, which sets it, the last one has lasted no time',
  },
  {
    ...{ file: 'src/runtime/standstill.ts', original: 'this.timer', replacement: 'true' },
    reason: 'clearing no timer does nothing',
  },
  {
    ...{ file: 'src/worker/ask-repeatedly.ts', original: 'next', replacement: 'true' },
    reason: 'clearing no timer does nothing',
  },
  {
    ...{
      file: 'src/worker/worker.ts',
      original: 'this.settings.providers.get(work.provider) ?? {}',
      replacement: '(this.settings.providers.get(work.provider))',
    },
    reason: 'only queues of these providers are read: the fallback is for the compiler',
  },
  {
    ...{ file: 'src/worker/submit-limit.ts', original: 'requestsPerMinute ?? Infinity', replacement: '(requestsPerMinute)' },
    reason: 'without a limit nobody asks for the distance, and by null it is the same: the fallback is for the compiler',
  },
  {
    ...{ file: 'src/worker/attempt-result.ts', original: `result.outcome === 'failed'`, replacement: 'true' },
    reason: 'a report has no class of error: the condition is for the compiler',
  },
  {
    ...{ file: 'src/worker/ask-together.ts', original: `''`, replacement: `'mutated'` },
    reason: 'there is always a subject: the default is for the compiler',
  },
  ...["'this worker is stopping'", "'another attempt may follow this run'"].map((original) => ({
    ...{ file: 'src/worker/attempt.ts', original, replacement: `''` },
    reason: 'whoever is told of it looks at its class alone: the words are for whoever debugs it',
  })),
  {
    ...{ file: 'libs/store/log/grown-logs.ts', original: 'head?.tenants ?? []', replacement: '(head?.tenants)' },
    reason: 'the table has one row at all times: the fallback is for the compiler',
  },
  {
    ...{ file: 'libs/store/log/log-audit-reads.ts', original: 'rows[0]?.size ?? 0', replacement: '(rows[0]?.size)' },
    reason: 'the table has one row at all times: the fallback is for the compiler',
  },
  {
    ...{ file: 'libs/store/history/audit-reads.ts', original: 'ids.length > 0', replacement: 'true' },
    reason: 'spares whoever reads a last page without a history, of which nothing is read',
  },
  {
    ...{ file: 'libs/store/postgres/write-refusals.ts', original: '!refusals', replacement: 'false' },
    reason: 'every pool heeds refusals from its making on: the condition is for the compiler',
  },
  {
    ...{ file: 'libs/store/sealing/rewrap.ts', original: 'rowCount ?? 0', replacement: '(rowCount)' },
    reason: 'an update always says of how many rows: the fallback is for the compiler',
  },
  {
    ...{ file: 'libs/store/log/deletion-receipts.ts', original: `''`, replacement: `'mutated'` },
    reason: 'a place before the first id of a thread, as any text is that sorts before thr_',
  },
];
