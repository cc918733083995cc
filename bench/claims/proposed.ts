import { readFile } from 'node:fs/promises';

/** By topic what a model answered to the prompt for proposals: lines of `{topic, answer}`. */
export async function readProposed(file: string): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line, place): [string, string] => {
      const { topic, answer } = JSON.parse(line) as { topic?: unknown; answer?: unknown };
      if (typeof topic === 'string' && typeof answer === 'string') return [topic, answer];
      throw new Error(`${file}:${String(place + 1)} is no proposal: it needs the texts topic and answer`);
    }),
  );
}
