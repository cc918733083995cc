import type { Percentiles } from './load';
import type { Figures, Rate } from './measure';
import { SHAPES, type Shape } from './options';

/** Everything measured of one shape. */
export interface ShapeFigures {
  shape: Shape;
  at: Figures[];
  postThread: Rate;
}

const HEADINGS = [
  'processes',
  'stored jobs',
  'jobs/s, 64 in flight',
  'at load p50/p95/p99 ms',
  'lone job p50/p95/p99 ms',
  'CPU s per 1,000 jobs',
  'GET open job/s (÷ bare)',
  'GET completed job/s (÷ bare)',
  'lists of 20 threads/s',
  'POST thread/s (÷ bare)',
];

/** The figures in Markdown: one line per shape and number of stored jobs, then each process's usage. */
export function markdownOf(all: readonly ShapeFigures[]): string {
  const rows = all.flatMap(({ shape, at, postThread }) =>
    at.map((figures, place) => [
      nameOf(shape),
      whole(figures.stored),
      whole(figures.jobsPerSecond),
      percentiles(figures.loadLatency),
      percentiles(figures.loneLatency),
      figures.cpuSecondsPer1000Jobs.toFixed(2),
      rate(figures.getOpen),
      rate(figures.getCompleted),
      whole(figures.listsPerSecond),
      place === at.length - 1 ? rate(postThread) : '',
    ]),
  );
  return [table(HEADINGS, rows), ...growthTables(all), ...all.map(processTable)].join('\n\n');
}

/** Each figure at more stored jobs against the same at the fewest. */
function growthTables(all: readonly ShapeFigures[]): string[] {
  const headings = [
    'processes',
    'stored jobs',
    'jobs/s',
    'CPU per job',
    'lone job p50',
    'GET open',
    'GET completed',
    'lists',
    'peak memory',
  ];
  const rows = all.flatMap(({ shape, at: [first, ...later] }) =>
    later.map((figures) => {
      const ratio = (of: (one: Figures) => number) => `${(of(figures) / (first ? of(first) : NaN)).toFixed(2)}x`;
      return [
        nameOf(shape),
        `${whole(figures.stored)} ÷ ${whole(first?.stored ?? NaN)}`,
        ratio(({ jobsPerSecond }) => jobsPerSecond),
        ratio(({ cpuSecondsPer1000Jobs }) => cpuSecondsPer1000Jobs),
        ratio(({ loneLatency }) => loneLatency.p50),
        ratio(({ getOpen }) => getOpen.service),
        ratio(({ getCompleted }) => getCompleted.service),
        ratio(({ listsPerSecond }) => listsPerSecond),
        ratio(({ peakMegabytes: { postgres: _, ...roles } }) => Object.values(roles).reduce((sum, megabytes) => sum + megabytes, 0)),
      ];
    }),
  );
  return rows.length > 0 ? [table(headings, rows)] : [];
}

function processTable({ shape, at }: ShapeFigures): string {
  const names = Object.keys(at[0]?.cpuSecondsPer1000JobsByProcess ?? {});
  const headings = [nameOf(shape), ...at.flatMap(({ stored }) => [`CPU s per 1,000 at ${whole(stored)}`, `peak MB at ${whole(stored)}`])];
  const rows = names.map((name) => [
    name,
    ...at.flatMap(({ cpuSecondsPer1000JobsByProcess: cpu, peakMegabytes: peak }) => [
      (cpu[name] ?? 0).toFixed(2),
      peak[name]?.toFixed(0) ?? '',
    ]),
  ]);
  return table(headings, rows);
}

const nameOf = (shape: Shape): string =>
  shape === 'all'
    ? 'all (memory transport)'
    : SHAPES[shape]
        .map((roles) => roles.join('+'))
        .join(' | ')
        .replaceAll('|', '/');

export const table = (headings: string[], rows: string[][]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const percentiles = ({ p50, p95, p99 }: Percentiles): string => [p50, p95, p99].map((value) => value.toFixed(1)).join(' / ');
const rate = ({ service, bare }: Rate): string => `${whole(service)} (${(service / bare).toFixed(2)})`;
