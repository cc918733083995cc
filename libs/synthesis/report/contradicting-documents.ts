import { claimTable, type Claim } from '../claims/claim-table';
import type { SourceNumbering } from '../citations';
import { readReport, readTogether } from '../statement/read-report';
import { NONE, type Statement } from '../statement/statement';
import { quotedClaim } from './claim-text';
import { CUE_NAMES } from './disputed-section';
import { documentsAsReports, type DocumentAsReport } from './documents-as-reports';
import { outlineOf, type Outline } from './outline';
import { marks, section } from './wording';

/** A sentence of a document, and the quotation that it is part of. */
interface QuotedSentence {
  text: string;
  quotation: Statement;
}

/** Sentences of two documents that may not fit together. */
export interface ContradictingDocuments {
  one: QuotedSentence;
  other: QuotedSentence;
  /** What they differ in, for a reader. */
  difference: string;
}

/** A pair before it is known which quotations it comes from. */
type ContradictingStatements = readonly [one: Statement | undefined, other: Statement | undefined, difference: string];

/** As much as any job compares. */
const LIMITS = { tier: 'XL', mode: 'methodical' } as const;
const MOST_CLAIMS = 200;

/**
 * Finds sentences in an answer's quotations that may contradict another document. The quotations of each document are read like the report of one
 * provider. The question is left out, since documents often state in its words what they contradict each other in.
 */
export function contradictingDocuments(claims: readonly Claim[]): ContradictingDocuments[] {
  const documents = documentsAsReports(claims);
  if (documents.length < 2) return [];
  const steps = documents.map(({ step }) => step);
  const together = readTogether(steps, '');
  const statements = steps.flatMap((step) => readReport(step, together).statements);
  const compared = claimTable(statements, NONE, MOST_CLAIMS).claims;
  return contradictingIn(outlineOf(compared, { query: '', ...LIMITS, steps })).flatMap(([mine, theirs, difference]) => {
    const [one, other] = [quotedIn(mine, documents), quotedIn(theirs, documents)];
    return one && other ? [{ one, other, difference }] : [];
  });
}

function contradictingIn({ disputed, differing, remarks }: Outline): ContradictingStatements[] {
  return [
    ...disputed.flatMap(({ claim: { supporting, cues }, opponents }) =>
      opponents.flatMap(([opponent]): ContradictingStatements[] => {
        const cue = cues.get(opponent);
        // As in the recorded claims, whoever says both contradicts neither.
        const saysBoth = supporting.some(({ provider }) => provider === opponent.provider);
        return cue && !saysBoth ? [[supporting[0], opponent, CUE_NAMES[cue]]] : [];
      }),
    ),
    ...differing
      .values()
      .map(([one, other]): ContradictingStatements => [one.supporting[0], other.supporting[0], remarks.between(one, other) ?? '']),
  ];
}

function quotedIn(statement: Statement | undefined, documents: readonly DocumentAsReport[]): QuotedSentence | undefined {
  const document = documents.find(({ step }) => step.stepId === statement?.stepId);
  const quotation = document?.quotations.findLast(({ start }) => start <= (statement?.start ?? 0))?.quotation;
  return statement && quotation && { text: statement.text, quotation };
}

/** Both sides with their sources. Whether they really contradict each other is left to the reader. */
export function contradictingDocumentsSection(pairs: readonly ContradictingDocuments[], sources: SourceNumbering): string[] {
  const said = ({ text, quotation }: QuotedSentence): string => `“${quotedClaim(text, [])}”${marks([quotation], sources)}`;
  return section(
    '## The documents may contradict each other',
    pairs.map(({ one, other, difference }) => `- ${said(one)} and ${said(other)} (${difference})`),
  );
}
