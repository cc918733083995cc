import type { Figures, LevelFigures } from './figures';

export interface NamedFigures {
  name: string;
  figures: Figures;
}

const HEADINGS = ['confidence', 'claims', 'facts they state', 'of these true', 'true facts of two or more systems covered'];

/** The figures in Markdown, a table for each set of topics. */
export function markdownOf(sets: readonly NamedFigures[]): string {
  return sets.map(section).join('\n\n');
}

function section({ name, figures }: NamedFigures): string {
  const rows = figures.levels.map((level) => row(level, figures));
  const table = [HEADINGS, HEADINGS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `${String(figures.topics)} topics, ${name}: ${String(figures.facts)} labelled facts, claims state ${share(figures.extracted, figures.facts)} of them.`,
    '',
    ...table,
  ].join('\n');
}

function row({ confidence, claims, facts, trueFacts, sharedTrueFacts }: LevelFigures, figures: Figures): string[] {
  return [confidence, String(claims), String(facts), share(trueFacts, facts), share(sharedTrueFacts, figures.sharedTrueFacts)];
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
