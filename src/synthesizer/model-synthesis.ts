import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ClaimSynthesis, CompleteJob, ToldCall } from '@lib/domain/job/commands';
import { backoffMs } from '@lib/domain/job/retries';
import type { JobState } from '@lib/domain/job/state';
import { lateForModelMs, openSynthesis, synthesisLeaseMs, synthesisReservation } from '@lib/domain/job/synthesis';
import { addKnown, beforeMarkup } from '@lib/domain/money';
import type { LanguageModel } from '@lib/providers/language-model/language-model';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { ClaimSheet } from '@lib/synthesis/summary/claim-sheet';
import type { Summary } from '@lib/synthesis/summary/summary';
import type { AcceptedProposals } from '@lib/synthesis/proposals/accepted';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import type { RunTask } from '../reports/report-pool';
import { inSpan, type Traced } from '../telemetry/tracing';
import type { ModelPatience } from './model-patience';
import { observedModel } from './observed-model';
import { propose, type ProposalLimits } from './propose';
import { writeSummary } from './write-summary';

/** The model that writes the reports. */
export interface ReportModel {
  languageModel: LanguageModel;
  /** The model's name as configured. */
  name: string;
  priceDate: string | null;
}

/** What a synthesis needs from its process. */
export interface ModelSynthesisTools {
  runTask: RunTask;
  /** The job's state after the claim was decided. */
  claim: (command: ClaimSynthesis) => Promise<JobState>;
  /** Called once the claim is held, to settle the wake-up: the claim's lease now guards the work. */
  claimed: () => void;
  /** The time, by the database's clock. */
  now: () => Date;
  patience: ModelPatience;
  /** Aborts when the process stops; the claim is then left to its lease. */
  signal: AbortSignal;
  traced: Traced;
  logger: Logger;
}

/** Share of the lease in which the model has to answer; the rest is for committing the report. */
const WRITING_SHARE = 0.8;
/** Share of that time in which the claim has to be answered; after it, too little time is left for the model. */
const CLAIMING_SHARE = 0.25;

/** A job whose report is due, with its question and reports as recorded. */
export interface DueReport {
  jobId: string;
  state: JobState;
  input: SynthesisInput;
}

/** The report of a job that reserved part of its budget for a model; null if another process holds the claim. */
export async function synthesizeWithModel(
  model: ReportModel | null,
  due: DueReport,
  tools: ModelSynthesisTools,
): Promise<CompleteJob | null> {
  const { state, input } = due;
  const { runTask, traced } = tools;
  const synthesize = { ...traced, name: 'synthesize', kind: 'internal' } as const;
  const completed = async (summary: Summary, accepted: AcceptedProposals | null = null): Promise<CompleteJob> => ({
    type: 'CompleteJob',
    ...(await inSpan(synthesize, () => runTask('synthesizeWithSummary', input, summary, accepted))),
  });
  if (model === null) return completed({ reason: 'the process that wrote this has none configured.' });
  const found = await runTask('claimSheet', input);
  const obstacle = obstacleTo(state, found.size, tools.now(), tools.patience);
  if (obstacle !== null) return completed({ reason: obstacle });
  // The lease begins with the claim's commit, which comes later than this.
  const milliseconds = Math.floor(synthesisLeaseMs(state.deadlines) * WRITING_SHARE);
  const deadline = AbortSignal.timeout(milliseconds);
  const claiming = AbortSignal.any([AbortSignal.timeout(Math.floor(milliseconds * CLAIMING_SHARE)), tools.signal]);
  const held = await claimFor(model, tools, claiming);
  if (held === null) return null;
  const { claimId, reservedMicros } = held;
  const limits = { reservedMicros, milliseconds, signal: AbortSignal.any([deadline, tools.signal]) };
  const { summary, accepted, ...paid } = await summaryBy(model, { ...due, found }, limits, tools);
  return { ...(await whileItLasts(() => completed(summary, accepted), limits.signal)), paid: { claimId, ...paid } };
}

/**
 * Claims the synthesis for this process. A claim whose answer was lost may still have been committed, and no other process can use it: so it is
 * repeated with the same id.
 * @returns the claim's id and what the model may cost; null if another process holds the claim
 */
async function claimFor(
  { name, priceDate }: ReportModel,
  { claim, claimed }: ModelSynthesisTools,
  claiming: AbortSignal,
): Promise<{ claimId: string; reservedMicros: number } | null> {
  const claimId = randomUUID();
  const command = { type: 'ClaimSynthesis', claimId, model: name, priceDate } as const;
  const after = await whileItLasts(
    () => claim(command),
    claiming,
    (error) => error instanceof StoreUnavailable,
  );
  const held = openSynthesis(after);
  if (held?.claimId !== claimId) return null;
  claimed();
  return { claimId, reservedMicros: beforeMarkup(held.run.reservedMicros, after.markupBasisPoints) };
}

/** Has the model compare the reports, and then summarize them. @returns the summary, or the reason why there is none */
async function summaryBy(
  { languageModel, name }: ReportModel,
  { jobId, input, found }: DueReport & { found: ClaimSheet },
  limits: ProposalLimits,
  { runTask, patience, traced, logger }: ModelSynthesisTools,
) {
  const calls: ToldCall[] = [];
  const observed = (purpose: 'compare' | 'summarize') => observedModel(languageModel, purpose, { calls, jobId, ...traced });
  const proposals = await propose(observed('compare'), input, runTask, limits, logger.child({ jobId }));
  const { accepted } = proposals;
  const sheet = accepted ? await whileItLasts(() => runTask('claimSheet', input, accepted), limits.signal) : found;
  const written = await writeSummary(
    observed('summarize'),
    { question: input.query, sheet, check: (answer) => runTask('checkSummary', answer, input.query, sheet) },
    Math.max(0, limits.reservedMicros - proposals.spentMicros),
    limits.signal,
  );
  const { failure } = written;
  patience.learn(failure);
  const charge = addKnown(proposals.charge, written.charge);
  if (written.paragraphs === null)
    logger.warn({ reason: 'written_without_model', jobId, failure }, 'the model gave no usable text; the report is written without it');
  const summary: Summary = written.paragraphs === null ? { reason: written.reason } : { ...written, model: name };
  return { summary, accepted, charge, failure, calls };
}

/**
 * Repeats failing work until the claim is about to end, so that a failed report thread or database does not waste model text that was paid for.
 * @param mayPass whether a failure is worth another try
 */
async function whileItLasts<Result>(
  work: () => Promise<Result>,
  lasting: AbortSignal,
  mayPass: (error: unknown) => boolean = () => true,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (lasting.aborted || !mayPass(error)) throw error;
      await sleep(backoffMs(tries, Math.random()), undefined, { signal: lasting }).catch(() => undefined);
    }
  }
}

/** Why the model is not asked at all; null if it can be. */
function obstacleTo(state: JobState, claims: number, now: Date, patience: ModelPatience): string | null {
  if (claims === 0) return 'there is no claim to write about.';
  if (openSynthesis(state)) return null;
  const late = lateForModelMs(state, now);
  if (synthesisReservation(state) !== null) {
    // Asked last: it lets only one report per half minute try, so that should be one that can.
    if (late === null) return patience.obstacle();
    return `the report had waited for ${Math.round(late / 1000)} s to be written, which leaves too little time for a model.`;
  }
  const lost = state.syntheses.length;
  return `${lost === 1 ? 'one attempt was' : `${lost} attempts were`} lost, and there is no room for another one.`;
}
