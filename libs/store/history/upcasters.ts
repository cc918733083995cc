import type { StoredEvent } from './aggregates';

/**
 * The shape in which each event is written today. A changed shape raises the number and adds one pure step to `UPCASTERS`;
 * stored events are never edited, and those of every released shape stay as test fixtures.
 */
export const SCHEMA_VERSIONS: Record<StoredEvent['type'], number> = {
  ThreadCreated: 2,
  MessageAdded: 2,
  JobAdded: 2,
  ThreadDeleted: 2,
  JobRequested: 3,
  BalanceReserved: 2,
  StepSkipped: 2,
  StepStarted: 2,
  StepExternalIdRecorded: 2,
  StepRetryRedirected: 2,
  StepRedriven: 1,
  StepCompleted: 2,
  StepFailed: 3,
  StepAttemptLost: 3,
  StepResultLate: 2,
  StepRunCancelled: 3,
  DeadlineReached: 2,
  ExploreStarted: 2,
  TopicsPlanned: 2,
  SynthesisStarted: 2,
  SynthesisClaimed: 2,
  SynthesisAttemptLost: 2,
  SynthesisSettled: 2,
  JobCompleted: 3,
  JobFailed: 2,
  JobCancelled: 2,
  JobRedriven: 1,
  ContentErased: 2,
  TenantCreated: 1,
  KeyCreated: 1,
  KeyAdopted: 1,
  KeyChanged: 1,
  KeyRotated: 1,
  KeyRevoked: 1,
  LimitsChanged: 1,
  SpendingWarned: 2,
  SkeletonsRemoved: 1,
};

type Step = (facts: object) => object;

/** Earlier builds did not record where an event belongs and what led to it. */
const unrecorded: Step = (facts) => ({ tenantId: null, traceId: null, causeVersion: null, ...facts });
const and =
  (added: object): Step =>
  (facts) => ({ ...unrecorded(facts), ...added });
const byNobody = and({ process: null });
const withoutCall = and({ call: { sentDigest: null, requestIdDigest: null, status: null } });

/** Drops the plain digest and the model's name. They stay in the stored event, since its hash covers them. */
const completedWithPlainDigest: Step = (facts) => {
  const { rawSha256: _, model: __, ...rest } = facts as { rawSha256?: string; model?: string };
  return { ...withoutCall(rest), rawDigest: null };
};
const namedByPlainDigest: Step = (facts) => {
  const { externalIdSha256: _, ...rest } = facts as { externalIdSha256?: string };
  return { ...unrecorded(rest), externalIdDigest: null };
};

/** `UPCASTERS[type][n]` turns facts of schema version n into those of n + 1. */
const UPCASTERS: Record<StoredEvent['type'], Record<number, Step>> = {
  ThreadCreated: { 1: unrecorded },
  MessageAdded: { 1: unrecorded },
  JobAdded: { 1: unrecorded },
  ThreadDeleted: { 1: unrecorded },
  JobRequested: {
    1: (facts) => ({ ...facts, markupBasisPoints: 0 }),
    2: and({ messageId: null, asked: null, settingsSha256: null, process: null }),
  },
  BalanceReserved: { 1: unrecorded },
  StepSkipped: { 1: unrecorded },
  StepStarted: { 1: byNobody },
  StepExternalIdRecorded: { 1: namedByPlainDigest },
  StepRetryRedirected: { 1: unrecorded },
  StepRedriven: {},
  StepCompleted: { 1: completedWithPlainDigest },
  StepFailed: { 1: (facts) => ({ ...facts, retryRefusal: null }), 2: withoutCall },
  StepAttemptLost: { 1: (facts) => ({ ...facts, retryRefusal: null }), 2: unrecorded },
  StepResultLate: { 1: withoutCall },
  StepRunCancelled: { 1: (facts) => ({ ...facts, outcome: 'unknown' }), 2: unrecorded },
  DeadlineReached: { 1: unrecorded },
  ExploreStarted: { 1: unrecorded },
  TopicsPlanned: { 1: byNobody },
  SynthesisStarted: { 1: unrecorded },
  SynthesisClaimed: { 1: byNobody },
  SynthesisAttemptLost: { 1: unrecorded },
  SynthesisSettled: { 1: and({ calls: [] }) },
  // Version 1 had no follow-on topics; its content has none either, and no cues for contradictions.
  JobCompleted: { 1: (facts) => ({ ...facts, followOnTopicCount: 0 }), 2: byNobody },
  JobFailed: { 1: unrecorded },
  JobCancelled: { 1: unrecorded },
  JobRedriven: {},
  ContentErased: { 1: unrecorded },
  TenantCreated: {},
  KeyCreated: {},
  KeyAdopted: {},
  KeyChanged: {},
  KeyRotated: {},
  KeyRevoked: {},
  LimitsChanged: {},
  SpendingWarned: { 1: (facts) => ({ keyId: null, ...facts }) },
  SkeletonsRemoved: {},
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
    const step = UPCASTERS[type as StoredEvent['type']][version];
    if (!step) throw new Error(`no upcaster for ${type} from schema version ${version}`);
    upcasted = step(upcasted);
  }
  return { type, facts: upcasted } as StoredEvent;
}
