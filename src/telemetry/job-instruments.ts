import { Counter, Histogram, type Registry } from 'prom-client';
import { WORK_SECONDS } from './work-seconds';

const SYNTHESIS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Metrics of jobs, their steps and their money, from the events that this process committed. */
export const createJobInstruments = (registers: Registry[]) => ({
  jobsCreated: new Counter({
    name: 'research_jobs_created_total',
    help: 'Jobs that this process committed.',
    labelNames: ['tier', 'mode'],
    registers,
  }),
  jobsFinished: new Counter({
    name: 'research_jobs_finished_total',
    help: 'Jobs whose final event this process committed.',
    labelNames: ['tier', 'mode', 'status', 'reason'],
    registers,
  }),
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
  deadlines: new Counter({
    name: 'research_job_deadlines_total',
    help: 'Jobs that reached the deadline of a phase.',
    labelNames: ['phase'],
    registers,
  }),
  attempts: new Counter({
    name: 'research_attempts_total',
    help: 'Attempts of steps that ended: completed, failed with its class, or lost with its lease.',
    labelNames: ['provider', 'outcome', 'failure'],
    registers,
  }),
  stepDuration: new Histogram({
    name: 'research_step_duration_seconds',
    help: "Time from the first start of a step to its end, further attempts included: nearly all of it is the provider's.",
    labelNames: ['provider', 'status'],
    buckets: WORK_SECONDS,
    registers,
  }),
  lateResults: new Counter({
    name: 'research_late_results_total',
    help: 'Results that came when their attempt had ended: paid, and not used.',
    labelNames: ['provider'],
    registers,
  }),
  charged: new Counter({
    name: 'research_charged_dollars_total',
    help: 'Charged to customers, by provider; what a model took for summaries is under synthesis.',
    labelNames: ['provider'],
    registers,
  }),
  overrun: new Counter({
    name: 'research_overrun_dollars_total',
    help: 'Taken by providers above what was reserved: the operator pays it.',
    labelNames: ['provider'],
    registers,
  }),
  late: new Counter({
    name: 'research_late_dollars_total',
    help: 'Taken by providers within what was reserved, and known only after the end of the job: the operator pays it.',
    labelNames: ['provider'],
    registers,
  }),
  skipped: new Counter({
    name: 'research_steps_skipped_total',
    help: 'Steps that were never started.',
    labelNames: ['provider', 'reason'],
    registers,
  }),
  tenantJobs: new Counter({
    name: 'research_tenant_jobs_finished_total',
    help: 'Finished jobs of the tenants that METRICS_TENANTS names; all the others are under "other". Not told without it.',
    labelNames: ['tenant', 'status'],
    registers,
  }),
  tenantCharged: new Counter({
    name: 'research_tenant_charged_dollars_total',
    help: 'Charged to the tenants that METRICS_TENANTS names; all the others are under "other". Not told without it.',
    labelNames: ['tenant'],
    registers,
  }),
  synthesisAttempts: new Counter({
    name: 'research_synthesis_attempts_total',
    help: 'Paid attempts at a summary: claimed, lost, settled.',
    labelNames: ['event'],
    registers,
  }),
  synthesisDuration: new Histogram({
    name: 'research_synthesis_duration_seconds',
    help: 'Time from the last step to the completed job.',
    buckets: SYNTHESIS_SECONDS,
    registers,
  }),
});
