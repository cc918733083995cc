import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Label = 'S' | 'NS' | 'IR';

/** One atomic fact as people took it from an answer: supported by the reference text, not supported, or irrelevant. */
export interface HumanFact {
  text: string;
  label: Label;
}

/** What one system answered, with the facts of each sentence; null where nobody labelled the answer, as with a refusal. */
export interface Answer {
  system: string;
  output: string;
  sentences: { text: string; facts: HumanFact[] }[] | null;
}

export interface Topic {
  name: string;
  question: string;
  answers: Answer[];
}

interface Line {
  input: string;
  output: string;
  topic: string;
  annotations: { text: string; 'human-atomic-facts'?: HumanFact[] | null }[] | null;
}

/**
 * Reads every `<system>.jsonl` of a folder in the format of FActScore: one answer a line, `{input, output, topic, annotations}`.
 * Topics come sorted by name, answers by system.
 *
 * @throws Error that names the folder or the line that cannot be used
 */
export async function readTopics(folder: string): Promise<Topic[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.jsonl')).sort();
  if (files.length < 2) throw new Error(`${folder} holds ${String(files.length)} .jsonl files: claims are compared between two or more`);
  const topics = new Map<string, Topic>();
  for (const file of files) {
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
    for (const [index, text] of lines.entries()) {
      if (text.trim() === '') continue;
      const line = parseLine(text, `${file}:${String(index + 1)}`);
      const topic = topics.get(line.topic) ?? { name: line.topic, question: line.input.replace(/^Question:\s*/, ''), answers: [] };
      topic.answers.push({ system: file.slice(0, -'.jsonl'.length), output: line.output.trim(), sentences: sentencesOf(line) });
      topics.set(line.topic, topic);
    }
  }
  return [...topics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sentencesOf({ annotations }: Line): Answer['sentences'] {
  return annotations?.map((sentence) => ({ text: sentence.text, facts: sentence['human-atomic-facts'] ?? [] })) ?? null;
}

function parseLine(text: string, place: string): Line {
  const line = JSON.parse(text) as Partial<Line>;
  const { input, output, topic, annotations = null } = line;
  if (typeof input !== 'string' || typeof output !== 'string' || typeof topic !== 'string')
    throw new Error(`${place} is no answer: it needs the texts input, output and topic`);
  return { input, output, topic, annotations };
}
