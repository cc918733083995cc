import { DOMAIN_ERROR_CODES } from '@lib/domain/errors';
import { AGENDA_KINDS } from '@lib/domain/job/agenda';
import { FINAL_JOB_EVENTS, JOB_EVENT_TYPES } from '@lib/domain/job/events';
import * as vocabulary from '@lib/domain/vocabulary';
import { DELIVERY_ERRORS, DELIVERY_STATUSES, DELIVERY_TYPES, DISABLED_REASONS } from '@lib/domain/webhook';

/** Clients compare these words, and stored events, agenda rows and problems hold them: one that is respelled is another one. */
it.each([
  ['BUDGET_TIERS', 'XXS XS S M L XL'],
  ['RESEARCH_MODES', 'fast methodical'],
  ['PROVIDERS', 'provider-a provider-b provider-b-lite provider-c provider-c-mini provider-d provider-d-premium provider-e'],
  ['JOB_STATUSES', 'pending running synthesizing completed failed cancelled'],
  ['FINAL_JOB_STATUSES', 'completed failed cancelled'],
  ['STEP_STATUSES', 'queued running completed failed skipped'],
  ['CONFIDENCES', 'high medium low'],
  ['CONTRADICTION_CUES', 'polarity quantity direction value'],
  ['MESSAGE_ROLES', 'user'],
  ['PROVENANCES', 'reported computed estimated'],
  [
    'ERROR_CLASSES',
    'auth quota rate_limited overloaded model_gone invalid_request content_filtered timeout lost malformed unavailable not_called circuit_open',
  ],
  ['RETRYABLE_ERROR_CLASSES', 'rate_limited overloaded timeout lost malformed unavailable not_called'],
] as const)('the words of %s stay as they are', (list, words) => {
  expect(vocabulary[list]).toEqual(words.split(' '));
});

it('the words of webhooks stay as they are', () => {
  expect([DELIVERY_TYPES, DELIVERY_STATUSES, DELIVERY_ERRORS, DISABLED_REASONS].map((words) => words.join(' '))).toEqual([
    'job.completed job.failed job.cancelled thread.deleted webhook.test',
    'pending delivered failed',
    'status gone redirect timeout name_not_found name_not_resolved address_refused tls connection not_called interrupted webhook_disabled corrupt_content',
    'by_request gone failing',
  ]);
});

it('the last three statuses of a job are final', () => {
  expect(vocabulary.JOB_STATUSES.filter(vocabulary.isFinalStatus)).toEqual(['completed', 'failed', 'cancelled']);
});

it('the codes of refusals, the kinds of the agenda and the final events stay as they are', () => {
  const codes = [
    ...['thread_not_found', 'job_not_found', 'step_not_found', 'attempt_not_found', 'key_not_found'],
    ...['webhook_not_found', 'delivery_not_found', 'webhook_disabled', 'too_many_webhooks', 'budget_too_small'],
    ...['insufficient_balance', 'thread_full', 'too_many_open_jobs', 'daily_limit', 'conflict'],
  ];
  expect(DOMAIN_ERROR_CODES).toEqual(codes);
  expect(AGENDA_KINDS.join(', ')).toBe(
    'dispatch step, retry, lease, job deadline, dispatch explore, dispatch synthesis, synthesis lease, cancel run, run, erase thread',
  );
  expect(FINAL_JOB_EVENTS).toEqual(['JobCompleted', 'JobFailed', 'JobCancelled']);
  expect(JOB_EVENT_TYPES).toEqual([
    ...['JobRequested', 'BalanceReserved', 'StepSkipped', 'StepStarted', 'StepExternalIdRecorded', 'StepRetryRedirected', 'StepRedriven'],
    ...['StepCompleted', 'StepFailed', 'StepAttemptLost', 'StepResultLate', 'StepRunCancelled', 'DeadlineReached', 'ExploreStarted'],
    ...['TopicsPlanned', 'SynthesisStarted', 'SynthesisClaimed', 'SynthesisAttemptLost', 'SynthesisSettled', 'JobCompleted', 'JobFailed'],
    ...['JobCancelled', 'JobRedriven', 'ContentErased'],
  ]);
});
