import type { SourceNumbering } from '../citations';
import { inertText } from '../markdown-text';
import { SYNTHESIZER_VERSION, type Lead } from '../synthesize';
import type { ProseSentence } from './check';

/** Changes with every change of what is asked of a model or how its text is shown. */
const PROSE_VERSION = 'prose-1';

const MOST_MARKS = 8;

/** A model's text as it stands at the head of a report. The marks of sources and the ids of claims are ours. */
export function proseLead(paragraphs: readonly (readonly ProseSentence[])[], sources: SourceNumbering, model: string): Lead {
  const lines = paragraphs.flatMap((sentences) => [sentences.map((sentence) => shown(sentence, sources)).join(' '), '']);
  return { synthesizer: `${SYNTHESIZER_VERSION}+${PROSE_VERSION}+${model}`, lines: ['## Summary', '', ...lines] };
}

/** Says why there is no such text. */
export function leadWithoutModel(reason: string): Lead {
  return { synthesizer: SYNTHESIZER_VERSION, lines: [`*Written without the model: ${inertText(reason)}*`, ''] };
}

function shown({ text, claims }: ProseSentence, sources: SourceNumbering): string {
  const statements = claims.flatMap(({ claim }) => claim.supporting);
  const marks = sources.numbersOf(statements, MOST_MARKS).map((number) => `[${String(number)}]`);
  const isDisputed = claims.some(({ disputedBy }) => disputedBy.length > 0);
  const rests = `${claims.map(({ id }) => id).join(', ')}${isDisputed ? '; disputed' : ''}`;
  return [inertText(text), ...(marks.length > 0 ? [marks.join('')] : []), `(${rests})`].join(' ');
}
