import { spawnSync } from 'node:child_process';
import { cpus, release } from 'node:os';
import type { Citation } from '@lib/domain/citation';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { SynthesisInput, SynthesisStep } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';
import { inputOf as inputOfAsked, linesOf, type Asked } from './assistants/cases';
import { endAfterFailure } from './end-after-failure';
import { PreparedReports, type PreparedReport } from '@lib/providers/simulated/prepared-reports';

const VOCABULARY = Array.from({ length: 3_000 }, (_, index) => `w${index.toString(36)}rd`);
const REPORT = 100_000;
/** Warm runs are measured in batches, and the fastest batch counts: other load on the machine slows down the rest. */
const BATCHES = 30;
const SMALL_IN_BATCH = 10;
const LARGE_RUNS = 5;
const DISTINCT = 'distinct';
/** Reports that assistants wrote of real things (bench/assistants). */
const WRITTEN = 'written';
const WRITTEN_SETS = ['natural', 'natural-held-out', 'natural-held-out-2', 'natural-held-out-3', 'natural-held-out-4'];
/** Runs over all of them; V8 still compiles during the first ones. */
const WRITTEN_RUNS = 12;
/** Warm-up jobs, and the jobs measured after them, each with its own text. */
const JOBS_BEFORE = 1_200;
const JOBS_IN_BATCH = 20;

/** Reports by the difficulty that they pose, each with a minimum number of characters and cited throughout. */
const REPORTS = {
  'English prose': (length, seed) =>
    filled(length, (line) => `The ${wordsOf(seed + line * 13, 12)} handles ${String(line % 50)} errors [1]. `),
  'prose with headings and lists': (length, seed) =>
    filled(
      length,
      (line) =>
        `${line % 10 === 0 ? `\n\n## Part ${String(line)}\n\n` : ''}- The **${wordsOf(seed + line * 13, 9)}** keeps 30 *entries* [1][2]\n`,
    ),
  'Chinese prose': (length, seed) =>
    filled(length, (line) => `第${String(seed + line)}个服务器处理所有来自客户端的请求和错误，其默认超时时间为三十秒[1]。`),
  'Arabic prose': (length, seed) =>
    filled(length, (line) => `يعالج الخادم رقم ${String(seed + line)} جميع الأخطاء الواردة من العملاء خلال ثلاثين ثانية [1]. `),
  'one table': (length, seed) =>
    `| a | b |\n| - | - |\n${filled(length, (line) => `| the server ${wordsOf(seed + line, 4)} | ${String(line)} errors [1] |\n`)}`,
} as const satisfies Record<string, (length: number, seed: number) => string>;

interface Shape {
  name: string;
  reports: number;
  length: number;
  text: keyof typeof REPORTS;
  citations: number;
}

const SHAPES: Shape[] = [
  { name: 'a small job', reports: 3, length: 2_000, text: 'English prose', citations: 5 },
  ...(Object.keys(REPORTS) as (keyof typeof REPORTS)[]).map((text) => ({
    name: 'the largest job',
    reports: 8,
    length: REPORT,
    text,
    citations: 50,
  })),
  { name: 'many citations', reports: 1, length: REPORT, text: 'English prose', citations: 10_000 },
  { name: 'beyond the largest', reports: 8, length: 1_000_000, text: 'English prose', citations: 1_000 },
];

interface Figures {
  firstMs: number;
  /** Processor time of the first run, the collector's and compiler's threads included. */
  cpuMs: number;
  /** Processor time of one later run, in the fastest batch of them. */
  warmMs: number;
  /** Growth of the process's memory by the first run, at its peak. */
  peakMb: number;
  markdownKb: number;
}

/** Measures the deterministic synthesis, each shape in a fresh process, and prints the figures as Markdown. */
function main(): void {
  process.stdout.write(
    `Node ${process.version} on ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}, ${release()}\n\n`,
  );
  process.stdout.write('| job | reports | text | citations each | first run | processor | a later run | memory | report |\n');
  process.stdout.write('| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n');
  for (const [place, { name, reports, length, text, citations }] of SHAPES.entries()) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [__filename, String(place)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} of ${text} could not be measured: ${stderr}`);
    const { firstMs, cpuMs, warmMs, peakMb, markdownKb } = JSON.parse(stdout) as Figures;
    const cells = [
      name,
      `${String(reports)} × ${String(length / 1_000)} KB`,
      text,
      citations,
      `${firstMs.toFixed(0)} ms`,
      `${cpuMs.toFixed(0)} ms`,
    ];
    process.stdout.write(
      `| ${[...cells, `${warmMs.toFixed(1)} ms`, `+${peakMb.toFixed(0)} MB`, `${markdownKb.toFixed(0)} KB`].join(' | ')} |\n`,
    );
  }
  process.stdout.write(`\nA small job of text that was never seen before, warm: ${measuredApart(DISTINCT)} ms of processor time.\n`);
  process.stdout.write(`A job of three reports that assistants wrote, warm: ${measuredApart(WRITTEN)} ms of processor time.\n`);
}

/** A figure from a fresh process, in milliseconds. */
function measuredApart(what: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [__filename, what], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Jobs of ${what} text could not be measured: ${stderr}`);
  return Number(stdout).toFixed(2);
}

/** Processor time of a job of assistants' reports in milliseconds, in the fastest run over all of them. */
async function measureWritten(): Promise<number> {
  const asked = await Promise.all(WRITTEN_SETS.map((set) => linesOf<Asked>(set)));
  const inputs = asked.flat().map(inputOfAsked);
  return fastestMs(Array.from({ length: WRITTEN_RUNS }, () => inputs));
}

/** Processor time of a small job in milliseconds in the fastest batch, as the load of `make bench` gives it, when no text was seen before. */
function measureDistinct(): number {
  const before = Array.from({ length: JOBS_BEFORE }, (_, seed) => distinctInput(seed));
  for (const input of before) synthesize(input);
  const batches = Array.from({ length: BATCHES }, (_, batch) =>
    Array.from({ length: JOBS_IN_BATCH }, (_input, place) => distinctInput(JOBS_BEFORE + batch * JOBS_IN_BATCH + place)),
  );
  return fastestMs(batches);
}

/** Processor time of one run in the fastest of the batches. */
function fastestMs(batches: readonly (readonly SynthesisInput[])[]): number {
  return Math.min(
    ...batches.map((inputs) => {
      const startedAt = process.cpuUsage();
      for (const input of inputs) synthesize(input);
      const { user, system } = process.cpuUsage(startedAt);
      return (user + system) / 1_000 / inputs.length;
    }),
  );
}

function distinctInput(seed: number): SynthesisInput {
  const prepared = new PreparedReports({ seed, reportBytes: 2_000, citations: 5 });
  const query = `What is known of subject ${String(seed)}?`;
  const steps = PROVIDERS.slice(0, 3).map((provider): SynthesisStep => {
    const { markdown, sources } = JSON.parse(prepared.for(query, provider)) as PreparedReport;
    const citations = sources.map((source) => ({ ...citationOf(source.index, source.url), ...source }));
    const outcome = { status: 'completed' as const, errorMessage: null, failure: null, truncated: false };
    return { stepId: `stp_${provider}`, provider, reportMarkdown: markdown, citations, ...outcome };
  });
  return { query, mode: 'fast', tier: 'M', steps };
}

function measure(shape: Shape): Figures {
  const input = inputOf(shape);
  const before = process.memoryUsage.rss();
  const cpuBefore = process.cpuUsage();
  const [firstMs, markdown] = timed(input);
  const { user, system } = process.cpuUsage(cpuBefore);
  const peakMb = (process.resourceUsage().maxRSS * 1024 - before) / 1e6;
  const [batches, runs] = shape.length > 10_000 ? [LARGE_RUNS, 1] : [BATCHES, SMALL_IN_BATCH];
  return {
    firstMs,
    cpuMs: (user + system) / 1_000,
    warmMs: fastestMs(Array.from({ length: batches }, () => Array.from({ length: runs }, () => input))),
    peakMb: Math.max(0, peakMb),
    markdownKb: markdown.length / 1_000,
  };
}

function timed(input: SynthesisInput): [number, string] {
  const startedAt = performance.now();
  const { markdown } = synthesize(input);
  return [performance.now() - startedAt, markdown];
}

function inputOf({ reports, length, text, citations }: Shape): SynthesisInput {
  const steps = PROVIDERS.slice(0, reports).map((provider, seed): SynthesisStep => ({
    stepId: `stp_${provider}`,
    provider,
    status: 'completed',
    reportMarkdown: REPORTS[text](length, seed * 101),
    citations: Array.from({ length: citations }, (_, place) => citationOf(place + 1, `https://s${String(place)}.${provider}.example/page`)),
    errorMessage: null,
    failure: null,
    truncated: false,
  }));
  return { query: 'How does the server handle errors?', mode: 'methodical', tier: 'XL', steps };
}

const citationOf = (index: number, url: string): Citation => ({
  ...{ index, url, title: `Page ${String(index)}`, domain: URL.parse(url)?.host ?? null },
  ...{ snippet: null, startIndex: null, endIndex: null, publishedAt: null },
});

function filled(length: number, lineOf: (line: number) => string): string {
  let text = '';
  for (let line = 0; text.length < length; line += 1) text += lineOf(line);
  return text;
}

const wordsOf = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, at) => VOCABULARY[((seed + at) * 7_919) % VOCABULARY.length] ?? '').join(' ');

const shape = SHAPES[Number(process.argv[2] ?? -1)];
if (process.argv[2] === DISTINCT) process.stdout.write(String(measureDistinct()));
else if (process.argv[2] === WRITTEN) measureWritten().then((ms) => process.stdout.write(String(ms)), endAfterFailure);
else if (shape) process.stdout.write(JSON.stringify(measure(shape)));
else main();
