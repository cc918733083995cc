import type { StoredEvent } from './aggregates';

/**
 * The shape in which each event is written today. A changed shape raises the number and adds one pure step to `UPCASTERS`;
 * stored events are never edited, and those of every released shape stay as test fixtures.
 */
export const SCHEMA_VERSIONS: Record<StoredEvent['type'], number> = {
  ThreadCreated: 1,
  MessageAdded: 1,
  JobAdded: 1,
  ThreadDeleted: 1,
  JobRequested: 2,
  BalanceReserved: 1,
  StepSkipped: 1,
  StepStarted: 1,
  StepExternalIdRecorded: 1,
  StepRetryRedirected: 1,
  StepCompleted: 1,
  StepFailed: 2,
  StepAttemptLost: 2,
  StepResultLate: 1,
  StepRunCancelled: 2,
  DeadlineReached: 1,
  ExploreStarted: 1,
  TopicsPlanned: 1,
  SynthesisStarted: 1,
  SynthesisClaimed: 1,
  SynthesisAttemptLost: 1,
  SynthesisSettled: 1,
  JobCompleted: 2,
  JobFailed: 1,
  JobCancelled: 1,
  ContentErased: 1,
  TenantCreated: 1,
  KeyCreated: 1,
  KeyAdopted: 1,
  KeyChanged: 1,
  KeyRotated: 1,
  KeyRevoked: 1,
};

/** `UPCASTERS[type][n]` turns facts of schema version n into those of n + 1. */
const UPCASTERS: Partial<Record<StoredEvent['type'], Record<number, (facts: object) => object>>> = {
  JobRequested: { 1: (facts) => ({ ...facts, markupBasisPoints: 0 }) },
  StepFailed: { 1: (facts) => ({ ...facts, retryRefusal: null }) },
  StepAttemptLost: { 1: (facts) => ({ ...facts, retryRefusal: null }) },
  StepRunCancelled: { 1: (facts) => ({ ...facts, outcome: 'unknown' }) },
  // Version 1 knew no follow-on topics; its content has none either, and no cue with what contradicts a claim.
  JobCompleted: { 1: (facts) => ({ ...facts, followOnTopicCount: 0 }) },
};

/**
 * A newer build has written to this stream. An older one must not guess at it, so it decides nothing about the stream and leaves it to others.
 */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';

  constructor(type: string, schemaVersion: number) {
    super(`the history holds ${type} of schema version ${schemaVersion}, which this build does not know: run the newer build`);
  }
}

/** @throws UnknownEvent for a type or schema version that this build does not know */
export function upcast(type: string, schemaVersion: number, facts: object): StoredEvent {
  const current = SCHEMA_VERSIONS[type as StoredEvent['type']] as number | undefined;
  if (current === undefined || schemaVersion > current) throw new UnknownEvent(type, schemaVersion);
  let upcasted = facts;
  for (let version = schemaVersion; version < current; version += 1) {
    const step = UPCASTERS[type as StoredEvent['type']]?.[version];
    if (!step) throw new Error(`no upcaster for ${type} from schema version ${version}`);
    upcasted = step(upcasted);
  }
  return { type, facts: upcasted } as StoredEvent;
}
