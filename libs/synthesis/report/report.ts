import type { ExplorationStop } from '@lib/domain/job/facts';
import type { FollowOnTopic } from '@lib/domain/job/recorded-report';
import type { Claim } from '../claims/claim-table';
import { isQuoted } from '../claims/who-says';
import type { SourceNumbering } from '../citations';
import {
  agreedSection,
  aloneSection,
  answerSection,
  comparedSection,
  doubtfulSection,
  likelySection,
  quotedSection,
  topicsSection,
} from './claim-sections';
import { contradictingDocumentsSection, type ContradictingDocuments } from './contradicting-documents';
import { disputedSection } from './disputed-section';
import { explorationSection } from './exploration-section';
import { followOnSection } from './follow-on-section';
import type { Outline } from './outline';
import { shortfallSection, type ReportedStep } from './shortfall-section';
import { sourcesSection } from './sources-section';

/** The content of a report. */
export interface ReportContent {
  outline: Outline;
  claims: readonly Claim[];
  /** How many sentences of the reports are in no claim, because they exceed what the budget allows to record. */
  leftOut: number;
  followOnTopics: readonly FollowOnTopic[];
  /** Sentences of the quoted documents that may contradict each other. */
  contradictingDocuments: readonly ContradictingDocuments[];
  steps: readonly ReportedStep[];
  explorationStop?: ExplorationStop | null | undefined;
  /** Must be new: sources are numbered in the order in which the report names them. */
  sources: SourceNumbering;
}

/**
 * The report for a reader, in Markdown, in the order of its sections below. Every sentence of a claim comes from a provider's report, and every mark
 * `[n]` names a listed source. Empty sections are left out.
 */
export function writeReport(content: ReportContent): string {
  const { outline, claims, leftOut, followOnTopics, steps, explorationStop, sources } = content;
  const reports = steps.filter(({ status }) => status === 'completed').length;
  const sections = [
    answerSection(outline, reports, sources),
    contradictingDocumentsSection(content.contradictingDocuments, sources),
    agreedSection(outline, sources),
    disputedSection(outline, sources),
    doubtfulSection(outline, sources),
    likelySection(outline, sources),
    comparedSection(outline, sources),
    aloneSection(outline, reports, sources),
    quotedSection(outline, sources),
    topicsSection(outline, sources),
    explorationSection(steps, claims, explorationStop),
    shortfallSection(steps, { recorded: claims.length, leftOut, isInDocuments: outline.answer.some(isQuoted) }),
    followOnSection(followOnTopics, outline.asked.text),
    sourcesSection(sources),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}
