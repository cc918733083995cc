import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from './client';
import type { Load } from './load';
import type { Supervisor } from './supervisor';

/** Where content stands in clear that must not: in the logs of any process, in the store of the broker, in the files of PostgreSQL. */
export async function contentLeaks(supervisor: Supervisor, load: Load): Promise<string[]> {
  const canaries = [load.canary, ...(await sentenceOfAReport(supervisor, load))];
  const found = (place: string, bytes: string | Buffer) =>
    canaries.filter((canary) => bytes.includes(canary)).map((canary) => `${canary} in ${place}`);
  const inLogs = supervisor.logs.lines.flatMap((line) => found(line, line));
  const files = (await Promise.all(supervisor.stores.map(filesBelow))).flat();
  const inFiles = await Promise.all(files.map(async (file) => found(file, await contentOf(file))));
  return [...inLogs, ...inFiles.flat()];
}

/** As a customer reads it, so that it is what the providers really answered. */
async function sentenceOfAReport(supervisor: Supervisor, { accepted, endings }: Load): Promise<string[]> {
  const completed = accepted.find(({ jobId }) => endings.get(jobId) === 'completed');
  if (!completed) return [];
  const { body } = await new Client(supervisor).call('GET', `/v1/threads/${completed.threadId}/jobs/${completed.jobId}`);
  const reports = (body.steps as { reportMarkdown: string }[]).map(({ reportMarkdown }) => reportMarkdown);
  return reports.flatMap((report) => /In \d{4} the [\w ]+/.exec(report)?.[0] ?? []).slice(0, 1);
}

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** A server that runs removes files at any time. */
const contentOf = (file: string): Promise<Buffer> => readFile(file).catch(() => Buffer.alloc(0));
