/** The closed lists of the contract with their types, used by validation, OpenAPI enums and the domain. */

/** Budget tiers in ascending order. */
export const BUDGET_TIERS = ['XXS', 'XS', 'S', 'M', 'L', 'XL'] as const;
export type BudgetTier = (typeof BUDGET_TIERS)[number];

export const RESEARCH_MODES = ['fast', 'methodical'] as const;
export type ResearchMode = (typeof RESEARCH_MODES)[number];

/** The eight neutral provider identifiers, in the order of the contract. */
export const PROVIDERS = [
  'provider-a',
  'provider-b',
  'provider-b-lite',
  'provider-c',
  'provider-c-mini',
  'provider-d',
  'provider-d-premium',
  'provider-e',
] as const;
export type ProviderId = (typeof PROVIDERS)[number];

export const JOB_STATUSES = ['pending', 'running', 'synthesizing', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const FINAL_JOB_STATUSES = ['completed', 'failed', 'cancelled'] as const satisfies readonly JobStatus[];
export const isFinalStatus = (status: JobStatus): boolean => FINAL_JOB_STATUSES.some((final) => final === status);

export const STEP_STATUSES = ['queued', 'running', 'completed', 'failed', 'skipped'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** Why two statements contradict each other: a negation, amounts, opposite directions, or another value in the same place. */
export const CONTRADICTION_CUES = ['polarity', 'quantity', 'direction', 'value'] as const;
export type ContradictionCue = (typeof CONTRADICTION_CUES)[number];

/** Threads hold only what clients submitted. */
export const MESSAGE_ROLES = ['user'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** Where a charge comes from: the provider, a dated price table, or an estimate. */
export const PROVENANCES = ['reported', 'computed', 'estimated'] as const;
export type Provenance = (typeof PROVENANCES)[number];

/**
 * Why a provider call gave no report; `RETRYABLE_ERROR_CLASSES` lists those worth another attempt. `not_called`: the worker had its own
 * reason not to call. `circuit_open`: the provider failed too often in a row, so it was not called. Only earlier builds report it; today such a
 * step waits, and is skipped once the job cannot wait any longer.
 */
export const ERROR_CLASSES = [
  'auth',
  'quota',
  'rate_limited',
  'overloaded',
  'model_gone',
  'invalid_request',
  'content_filtered',
  'timeout',
  'lost',
  'malformed',
  'unavailable',
  'not_called',
  'circuit_open',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

export const RETRYABLE_ERROR_CLASSES: readonly ErrorClass[] = [
  'rate_limited',
  'overloaded',
  'timeout',
  'lost',
  'malformed',
  'unavailable',
  'not_called',
];

/**
 * Failures of a submit that mean the provider is down. A fault in one job's input (`invalid_request`, `malformed` …) says nothing about the next job.
 * `auth` and `quota` end a step at once and free of charge, and the provider's own message tells the operator what to do.
 */
export const OUTAGE_ERROR_CLASSES: readonly ErrorClass[] = ['overloaded', 'unavailable', 'timeout'];

/** Longest message or topic, in Unicode code points. */
export const MAX_MESSAGE_CODE_POINTS = 32_000;
