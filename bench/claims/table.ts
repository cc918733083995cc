import { CONFIDENCES } from '@lib/domain/vocabulary';
import { figuresOf, type Figures, type JudgedTopic, type LevelFigures } from './figures';
import { spreadOf, type Spread } from './folds';

const HEADINGS = ['confidence', 'claims', 'facts they state', 'of these true', 'true facts of two or more systems covered'];
const SPREAD_HEADINGS = ['confidence', 'true in 95 % of 2,000 draws of topics', 'false of all facts, by fold'];

/** The figures of some topics in Markdown, and how much they depend on which topics these are. */
export function markdownOf(name: string, topics: readonly JudgedTopic[]): string {
  const figures = figuresOf(topics);
  return [
    `${String(figures.topics)} topics, ${name}: ${String(figures.facts)} labelled facts, claims state ${share(figures.extracted, figures.facts)} of them.`,
    '',
    ...table([HEADINGS, ...figures.levels.map((level) => row(level, figures))]),
    '',
    ...table([SPREAD_HEADINGS, ...CONFIDENCES.map((confidence) => spreadRow(spreadOf(topics, confidence)))]),
  ].join('\n');
}

function table([headings = [], ...rows]: string[][]): string[] {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function row({ confidence, claims, facts, trueFacts, sharedTrueFacts }: LevelFigures, figures: Figures): string[] {
  return [confidence, String(claims), String(facts), share(trueFacts, facts), share(sharedTrueFacts, figures.sharedTrueFacts)];
}

function spreadRow({ confidence, low, high, folds }: Spread): string[] {
  const byFold = folds.map(({ facts, falseFacts }) => `${String(falseFacts)} of ${String(facts)}`).join(', ');
  return [confidence, `${share(low, 1)} to ${share(high, 1)}`, byFold];
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
