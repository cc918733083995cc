import { Counter, Histogram, type Registry } from 'prom-client';
import type { JobCancelled, JobFailed } from '@lib/domain/job/events';
import { SKIP_REASONS, type DeadlinePhase } from '@lib/domain/job/facts';
import { BUDGET_TIERS, ERROR_CLASSES, PROVIDERS, RESEARCH_MODES } from '@lib/domain/vocabulary';
import { counterFromZero, membersOf } from './counter-from-zero';
import { WORK_SECONDS } from './work-seconds';

const OF_JOBS = { tier: BUDGET_TIERS, mode: RESEARCH_MODES };
const FAILED_FOR = membersOf<JobFailed['facts']['reason']>({ no_step_completed: true, not_started: true, synthesis_failed: true });
const CANCELLED_FOR = membersOf<JobCancelled['facts']['reason']>({ requested: true, thread_deleted: true });
const PHASES = membersOf<DeadlinePhase>({ queue: true, running: true, synthesis: true });
const FAILURES = [...ERROR_CLASSES, 'deadline', 'cancelled'];
const CHARGED = [...PROVIDERS, 'synthesis'];

const SYNTHESIS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Metrics of jobs, their steps and their money, from the events that this process committed. */
export const createJobInstruments = (registers: Registry[]) => ({
  ...createInstrumentsOfJobs(registers),
  ...createInstrumentsOfSteps(registers),
  ...createInstrumentsOfMoney(registers),
});

const createInstrumentsOfJobs = (registers: Registry[]) => ({
  jobsCreated: counterFromZero(
    {
      name: 'research_jobs_created_total',
      help: 'Jobs that this process committed.',
      registers,
    },
    OF_JOBS,
  ),
  jobsFinished: counterFromZero(
    {
      name: 'research_jobs_finished_total',
      help: 'Jobs whose final event this process committed.',
      registers,
    },
    { ...OF_JOBS, status: ['completed'], reason: [''] },
    { ...OF_JOBS, status: ['failed'], reason: FAILED_FOR },
    { ...OF_JOBS, status: ['cancelled'], reason: CANCELLED_FOR },
  ),
  firstStep: new Histogram({
    name: 'research_job_first_step_seconds',
    help: 'Time from the creation of a job to the start of its first step.',
    labelNames: ['mode'],
    buckets: WORK_SECONDS,
    registers,
  }),
  jobDuration: new Histogram({
    name: 'research_job_duration_seconds',
    help: 'Time from the creation of a job to its final event.',
    labelNames: ['mode', 'status'],
    buckets: WORK_SECONDS,
    registers,
  }),
  deadlines: counterFromZero(
    {
      name: 'research_job_deadlines_total',
      help: 'Jobs that reached the deadline of a phase.',
      registers,
    },
    { phase: PHASES },
  ),
  tenantJobs: new Counter({
    name: 'research_tenant_jobs_finished_total',
    help: 'Finished jobs of the tenants that METRICS_TENANTS names; all the others are under "other". Not told without it.',
    labelNames: ['tenant', 'status'],
    registers,
  }),
  synthesisAttempts: counterFromZero(
    {
      name: 'research_synthesis_attempts_total',
      help: 'Paid attempts at a summary: claimed, lost, settled.',
      registers,
    },
    { event: ['claimed', 'lost', 'settled'] },
  ),
  synthesisDuration: new Histogram({
    name: 'research_synthesis_duration_seconds',
    help: 'Time from the last step to the completed job.',
    buckets: SYNTHESIS_SECONDS,
    registers,
  }),
});

const createInstrumentsOfSteps = (registers: Registry[]) => ({
  attempts: counterFromZero(
    {
      name: 'research_attempts_total',
      help: 'Attempts of steps that ended: completed, failed with its class, or lost with its lease.',
      registers,
    },
    { provider: PROVIDERS, outcome: ['completed', 'lost'], failure: [''] },
    { provider: PROVIDERS, outcome: ['failed'], failure: FAILURES },
  ),
  stepDuration: new Histogram({
    name: 'research_step_duration_seconds',
    help: "Time from the first start of a step to its end, further attempts included: nearly all of it is the provider's.",
    labelNames: ['provider', 'status'],
    buckets: WORK_SECONDS,
    registers,
  }),
  lateResults: counterFromZero(
    {
      name: 'research_late_results_total',
      help: 'Results that came when their attempt had ended: paid, and not used.',
      registers,
    },
    { provider: PROVIDERS },
  ),
  skipped: counterFromZero(
    {
      name: 'research_steps_skipped_total',
      help: 'Steps that were never started.',
      registers,
    },
    { provider: PROVIDERS, reason: SKIP_REASONS },
  ),
});

const createInstrumentsOfMoney = (registers: Registry[]) => ({
  charged: counterFromZero(
    {
      name: 'research_charged_dollars_total',
      help: 'Charged to customers, by provider; what a model took for summaries is under synthesis.',
      registers,
    },
    { provider: CHARGED },
  ),
  overrun: counterFromZero(
    {
      name: 'research_overrun_dollars_total',
      help: 'Taken by providers above what was reserved: the operator pays it.',
      registers,
    },
    { provider: CHARGED },
  ),
  late: counterFromZero(
    {
      name: 'research_late_dollars_total',
      help: 'Taken by providers within what was reserved, and known only after the end of the job: the operator pays it.',
      registers,
    },
    { provider: CHARGED },
  ),
  tenantCharged: new Counter({
    name: 'research_tenant_charged_dollars_total',
    help: 'Charged to the tenants that METRICS_TENANTS names; all the others are under "other". Not told without it.',
    labelNames: ['tenant'],
    registers,
  }),
});
