import { endAfterFailure } from '../end-after-failure';
import { readTopics, type Topic } from './answers';
import { FactReader } from './facts';
import { judge, type JudgedTopic } from './figures';
import { readProposed } from './proposed';
import { markdownOf } from './table';

const USAGE =
  'make bench-claims DATA=<folder of .jsonl files in the format of FActScore> [HALF=tuning|reporting] [SOURCES=none] [PROPOSALS=file]';

const HALVES = [
  ['tuning', 'the half that the rule was tuned on'],
  ['reporting', 'the other half'],
] as const;

/** Measures how far the confidence of claims agrees with what people found true, and prints the figures as Markdown. */
async function main([folder, half = '', sources = '', proposals = '']: string[]): Promise<void> {
  if (!folder || !['', 'tuning', 'reporting'].includes(half)) throw new Error(`Which data? ${USAGE}`);
  const topics = await readTopics(folder);
  const reader = new FactReader(topics);
  const proposed = proposals === '' ? null : await readProposed(proposals);
  for (const [place, [key, name]] of HALVES.entries()) {
    if (half !== '' && half !== key) continue;
    console.log(
      `${markdownOf(
        name,
        halfOf(topics, place).map((topic): JudgedTopic => judge(topic, reader, sources !== 'none', proposed?.get(topic.name) ?? null)),
      )}\n`,
    );
  }
}

/** Every other topic in the order of their names. */
function halfOf(topics: readonly Topic[], place: number): Topic[] {
  return topics.filter((_, position) => position % 2 === place);
}

main(process.argv.slice(2)).catch(endAfterFailure);
