import type { SourceNumbering } from '../citations';
import { inertText } from '../report/markdown-text';
import { counted } from '../report/wording';
import type { AcceptedProposals } from '../proposals/accepted';
import type { Synthesis, SynthesisInput } from '../synthesis';
import { findingsOf, SYNTHESIZER_VERSION, synthesisOf, type ReportHead } from '../synthesize';
import type { SummarySentence } from './check';

/** Raise whenever the model is asked something different, or its text is shown differently. */
const SUMMARY_VERSION = 'prose-3';
/** Raise whenever the model is asked for different proposals, or they are shown differently. */
const PROPOSALS_VERSION = 'proposals-3';

const MAX_MARKS = 8;

/** A model's text, or a sentence for the reader that says why there is none. */
export type Summary = WrittenSummary | { reason: string };

interface WrittenSummary {
  paragraphs: readonly (readonly SummarySentence[])[];
  /** How many of its sentences were left out. */
  refused: number;
  model: string;
}

/** Like `synthesize`, with a model's text at the head of the report, or the reason why there is none. */
export function synthesizeWithSummary(input: SynthesisInput, summary: Summary, accepted: AcceptedProposals | null = null): Synthesis {
  const findings = findingsOf(input, accepted);
  const head = 'reason' in summary ? headWithoutModel(summary.reason) : summaryHead(summary, findings.sources);
  return synthesisOf(findings, accepted ? withProposals(head, accepted, findings.overruled) : head);
}

/** Notes that a model took part in finding agreements and disputes. */
function withProposals({ synthesizer, lines }: ReportHead, accepted: AcceptedProposals, overruled: number): ReportHead {
  const { claims, disputes } = accepted;
  const refused = accepted.refused + overruled;
  const agreements = claims.filter(({ length }) => length > 1).length;
  const inOtherWords = claims.filter(([, ...others]) => others.some(({ isInOtherWords }) => isInOtherWords)).length;
  const disputeCount = disputes.length - overruled;
  if (claims.length + disputeCount + refused === 0) return { synthesizer, lines };
  const borneOut = `${counted(agreements, 'agreement')} and ${counted(disputeCount, 'dispute')} that a model proposed are borne out by the reports`;
  const byItsWord =
    inOtherWords > 0 ? `; in ${counted(inOtherWords, 'agreement')} the words differ, and only the model says that they mean the same` : '';
  const open = accepted.unconfirmed.length;
  const unconfirmed =
    open > 0 ? `; ${counted(open, 'other proposal')} of it could not be confirmed: what a model sees below is only its word` : '';
  const refusal = refused > open ? `; ${counted(refused - open, 'other proposal')} of it were refused` : '';
  const note = `*${borneOut}${byItsWord}${unconfirmed}${refusal}.*`;
  return {
    synthesizer: synthesizer.replace(SYNTHESIZER_VERSION, `${SYNTHESIZER_VERSION}+${PROPOSALS_VERSION}`),
    lines: [...lines, note, ''],
  };
}

/** A model's text for the head of a report. The citation marks and the ids of claims are ours. */
export function summaryHead({ paragraphs, refused, model }: WrittenSummary, sources: SourceNumbering): ReportHead {
  const lines = paragraphs.flatMap((sentences) => [sentences.map((sentence) => shown(sentence, sources)).join(' '), '']);
  const note = refused === 0 ? [] : [`*${counted(refused, 'sentence')} left out, since the claims do not say so.*`, ''];
  return { synthesizer: `${SYNTHESIZER_VERSION}+${SUMMARY_VERSION}+${model}`, lines: ['## Summary', '', ...lines, ...note] };
}

/** The note for the head of a report that says why there is no such text. */
export function headWithoutModel(reason: string): ReportHead {
  return { synthesizer: SYNTHESIZER_VERSION, lines: [`*Written without the model: ${inertText(reason)}*`, ''] };
}

function shown({ text, claims }: SummarySentence, sources: SourceNumbering): string {
  const evidence = claims.flatMap((claim) => claim.evidence);
  const marks = sources.numbersOf(evidence, MAX_MARKS).map((number) => `[${String(number)}]`);
  const isDisputed = claims.some(({ disputedBy }) => disputedBy.length > 0);
  const rests = `${claims.map(({ id }) => id).join(', ')}${isDisputed ? '; disputed' : ''}`;
  return [inertText(text), ...(marks.length > 0 ? [marks.join('')] : []), `(${rests})`].join(' ');
}
