import type { ProviderId } from '@lib/domain/vocabulary';
import type { Claim } from './claim-table';
import type { Statement } from './claims';
import type { SourceNumbering } from './citations';
import { inertText, sourceLink } from './markdown-text';
import type { SynthesisStep } from './synthesis';

/** A step as the report speaks of it; `statementCount` is how many sentences of its report could become claims. */
export interface ReportedStep extends SynthesisStep {
  statementCount: number;
}

const ANSWER_CLAIMS = 5;
const MAX_MARKS = 8;
const MAX_OPPONENTS = 5;
const MAX_ERROR = 300;

/**
 * The report for a reader, in Markdown: the direct answer, what is agreed, what is disputed with both sides, what one provider says
 * alone, what failed, and the sources. Every sentence in it stands in a provider's report, and every mark `[n]` names a listed source.
 */
export function writeReport(claims: readonly Claim[], steps: readonly ReportedStep[], sources: SourceNumbering): string {
  const disputed = claims.filter(({ contradicting }) => contradicting.length > 0);
  const undisputed = claims.filter(({ contradicting }) => contradicting.length === 0);
  const answer = undisputed.slice(0, ANSWER_CLAIMS);
  const agreed = undisputed.filter((claim) => providersOf(claim.supporting).length > 1);
  const alone = undisputed.filter((claim) => !agreed.includes(claim) && !answer.includes(claim));
  const sections = [
    ['## Answer', '', ...answerLines(answer, disputed, steps, sources)],
    section(
      '## Agreed by several providers',
      agreed.map((claim) => claimLine(claim, sources)),
    ),
    section('## Disputed', disputedLines(disputed, sources)),
    section(
      '## Said by one provider only',
      alone.map((claim) => claimLine(claim, sources)),
    ),
    section('## Without a result', steps.flatMap(shortfallLine)),
    section('## Sources', sourceLines(sources)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, '', ...lines];
}

function answerLines(
  answer: readonly Claim[],
  disputed: readonly Claim[],
  steps: readonly ReportedStep[],
  sources: SourceNumbering,
): string[] {
  const reports = steps.filter(({ status }) => status === 'completed').length;
  if (answer.length === 0 && disputed.length === 0)
    return [`No answer: none of the ${counted(reports, 'report')} states anything that a source backs.`];
  const lines = answer.map(({ text, supporting }) => `- ${inertText(text)}${marks(supporting, sources)}`);
  if (disputed.length > 0)
    lines.push(`${answer.length > 0 ? '\n' : ''}The reports contradict each other in ${counted(disputed.length, 'claim')}: see below.`);
  return lines;
}

function claimLine({ text, supporting, confidence }: Claim, sources: SourceNumbering): string {
  return `- ${inertText(text)}${marks(supporting, sources)} (${providersOf(supporting).join(', ')}; confidence ${confidence})`;
}

/** A pair of opposing sentences is shown once, though it makes two claims. */
function disputedLines(disputed: readonly Claim[], sources: SourceNumbering): string[] {
  const shown = new Set<Statement>();
  const rows = disputed.flatMap(({ text, supporting, contradicting }) => {
    if (supporting.some((statement) => shown.has(statement))) return [];
    for (const statement of contradicting) shown.add(statement);
    return contradicting.slice(0, MAX_OPPONENTS).map((opponent) => {
      const position = `“${inertText(text)}”${marks(supporting, sources)}`;
      return `| ${position} | ${providersOf(supporting).join(', ')} | “${inertText(opponent.text)}”${marks([opponent], sources)} | ${opponent.provider} |`;
    });
  });
  return rows.length === 0 ? [] : ['| One side | says | Other side | says |', '| --- | --- | --- | --- |', ...rows];
}

function shortfallLine({ provider, status, errorMessage, citations, statementCount }: ReportedStep): string[] {
  if (status !== 'completed') {
    const reason = inertText([...(errorMessage ?? 'no reason recorded')].slice(0, MAX_ERROR).join(''));
    return [`- ${provider} ${status === 'failed' ? 'failed' : 'was skipped'}: ${reason}`];
  }
  if (statementCount > 0) return [];
  return [`- ${provider} reported ${citations.length === 0 ? 'without naming a source' : 'nothing that could be taken as a claim'}.`];
}

function sourceLines(sources: SourceNumbering): string[] {
  const numbered = sources.numbered();
  const lines = numbered.map(
    ({ number, url, title, providers }) => `- [${String(number)}] ${sourceLink(title, url)} (${providers.join(', ')})`,
  );
  const more = sources.size - numbered.length;
  if (more > 0 && numbered.length > 0)
    lines.push(`\nThe providers returned ${counted(more, 'more source')}; no sentence above rests on them.`);
  return lines;
}

function marks(statements: readonly Statement[], sources: SourceNumbering): string {
  const numbers = sources.numbersOf(statements, MAX_MARKS);
  return numbers.length === 0 ? '' : ` ${numbers.map((number) => `[${String(number)}]`).join('')}`;
}

function providersOf(statements: readonly Statement[]): ProviderId[] {
  return [...new Set(statements.map(({ provider }) => provider))];
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
