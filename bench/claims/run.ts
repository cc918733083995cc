import { readTopics, type Topic } from './answers';
import { FactReader } from './facts';
import { figuresOf } from './figures';
import { markdownOf } from './table';

const USAGE = 'make bench-claims DATA=<folder of .jsonl files in the format of FActScore>';

/** Measures how far the confidence of claims agrees with what people found true, and prints the figures as Markdown. */
async function main([folder]: string[]): Promise<void> {
  if (!folder) throw new Error(`Which data? ${USAGE}`);
  const topics = await readTopics(folder);
  const reader = new FactReader(topics);
  const [tuned, reported] = halvesOf(topics);
  console.log(
    markdownOf([
      { name: 'the half that the rule was tuned on', figures: figuresOf(tuned, reader) },
      { name: 'the other half', figures: figuresOf(reported, reader) },
    ]),
  );
}

/** Every other topic in the order of their names. */
function halvesOf(topics: readonly Topic[]): [Topic[], Topic[]] {
  const isEven = (_: Topic, position: number): boolean => position % 2 === 0;
  return [topics.filter(isEven), topics.filter((topic, position) => !isEven(topic, position))];
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
