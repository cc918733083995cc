import type { FollowOnTopic, RecordedClaim, RecordedEvidence } from '@lib/domain/job/recorded-report';
import { claimTable, type Claim } from './claims/claim-table';
import { SourceNumbering } from './citations';
import { readReport, readTogether } from './statement/read-report';
import { modelsViewOn } from './same-point/models-view';
import { placeKey } from './proposals/accepted';
import type { Statement } from './statement/statement';
import { contradictingDocuments } from './report/contradicting-documents';
import { followOnTopics } from './report/follow-on';
import { proposedIn } from './proposals/proposed';
import type { AcceptedProposals } from './proposals/accepted';
import { writeReport, type ReportContent } from './report/report';
import { limitsOf } from './report/limits';
import { confidenceShown, outlineOf, type Outline } from './report/outline';
import type { Synthesis, SynthesisInput } from './synthesis';
import { byProviderAndStep } from './step-order';

/** Raise with every change to the bytes that the same steps give. */
export const SYNTHESIZER_VERSION = 'deterministic-48';

/** A claim with its id in this job. */
export interface IdentifiedClaim extends Claim {
  id: string;
}

/** The compared and ordered content of a job's reports, before anything is written about it. */
export interface Findings extends ReportContent {
  claims: readonly IdentifiedClaim[];
  followOnTopics: FollowOnTopic[];
  /** How many accepted disputes were left out, since the rules saw that both sides agree. */
  overruled: number;
}

/** The text before the report, and what wrote it. */
export interface ReportHead {
  synthesizer: string;
  lines: readonly string[];
}

/**
 * What the reports of a job agree on, dispute and say alone. Pure and deterministic: the same steps in any order give the same bytes. Reads only
 * recorded steps, so it can be run again on any job at any time.
 */
export function synthesize(input: SynthesisInput): Synthesis {
  return synthesisOf(findingsOf(input), { synthesizer: SYNTHESIZER_VERSION, lines: [] });
}

/** @param accepted a model's proposals for these steps that the reports support */
export function findingsOf(input: SynthesisInput, accepted: AcceptedProposals | null = null): Findings {
  const steps = input.steps.toSorted(byProviderAndStep);
  const together = readTogether(steps, input.query);
  const { question } = together;
  const read = steps.map((step) => ({ step, ...readReport(step, together) }));
  const all = read.flatMap(({ statements }) => statements);
  const proposed = accepted ? proposedIn(all, accepted) : undefined;
  const most = limitsOf(input.tier, input.mode).claims;
  const { claims: found, isCut, overruled } = claimTable(all, together.sentences.read(question).reading.stems, most, proposed);
  const claims = found.map((claim, position) => ({ ...claim, id: `clm_${String(position + 1).padStart(2, '0')}` }));
  const ids = new Map<Claim, string>(claims.map((claim) => [claim, claim.id]));
  const outline = outlineOf(claims, { ...input, query: question }, modelsViewOn(claims, accepted?.unconfirmed ?? []));
  return {
    claims,
    overruled,
    leftOut: (isCut ? sentencesInNone(claims, all) : 0) + read.reduce((sum, { unread }) => sum + unread, 0),
    outline,
    followOnTopics: followOnTopics(input, claims, outline, (claim) => ids.get(claim) ?? ''),
    contradictingDocuments: contradictingDocuments(claims),
    explorationStop: input.explorationStop,
    steps: read.map(({ step, statements, refusals }) => ({
      ...step,
      statementCount: statements.length,
      refusals,
    })),
    sources: new SourceNumbering(read.map(({ step }) => step).filter(({ status }) => status === 'completed')),
  };
}

/** How many sentences of the reports are quoted by no claim. */
function sentencesInNone(claims: readonly Claim[], all: readonly Statement[]): number {
  const quoted = new Set(claims.flatMap(({ supporting, contradicting }) => [...supporting, ...contradicting].map(placeKey)));
  return new Set(all.map(placeKey)).difference(quoted).size;
}

/** The head comes first, so its sources are numbered before the report is written. */
export function synthesisOf(findings: Findings, { synthesizer, lines }: ReportHead): Synthesis {
  return {
    synthesizer,
    markdown: [...lines, writeReport(findings)].join('\n'),
    claims: findings.claims.map((claim) => recordedClaim(claim, findings.outline)),
    followOnTopics: findings.followOnTopics,
  };
}

/** A step whose report says both is recorded as supporting both, and as contradicting neither. */
function recordedClaim(claim: IdentifiedClaim, outline: Outline): RecordedClaim {
  const { id, text, supporting, contradicting, cues } = claim;
  const against = contradicting.flatMap((statement) => {
    const cue = cues.get(statement);
    const saysBoth = supporting.some(({ provider }) => provider === statement.provider);
    return cue && !saysBoth ? [{ ...evidenceOf(statement), cue }] : [];
  });
  return { id, claim: text, confidence: confidenceShown(claim, outline), supporting: supporting.map(evidenceOf), contradicting: against };
}

function evidenceOf({ provider, stepId, quote, start, end, citationIndexes }: Statement): RecordedEvidence {
  return { provider, stepId, quote, start, end, citationIndexes };
}
