import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Citation } from '@lib/domain/citation';
import { CorpusProvider } from '@lib/providers/corpus/adapter';
import type { CorpusIndex } from '@lib/providers/corpus/index/corpus-index';
import { KeptIndex } from '@lib/providers/corpus/index/keep-index';
import type { CorpusOptions } from '@lib/providers/corpus/options';
import { research } from '@lib/providers/research';
import type { ResearchReport, ResearchRequest } from '@lib/providers/research-provider';

import { newRun, requestOf } from './request';
import { silent } from './silent';

export const QUESTION = 'How does Wren rotate its log files?';

export const corpus = (path: string, options: Partial<CorpusOptions> = {}): CorpusProvider =>
  new CorpusProvider({ path, packages: false }, { cacheFolder: null, log: silent }, { strategy: 'lexical', breadth: 10, ...options });

export async function ask(
  path: string,
  request: Partial<ResearchRequest> = {},
  options: Partial<CorpusOptions> = {},
): Promise<ResearchReport> {
  const { report } = await research(corpus(path, options), requestOf({ query: QUESTION, ...request }), newRun);
  return report;
}

/** The lines of the real file that a citation names. */
export function linesOf(folder: string, { url }: Citation): string {
  const [, path, first, last] = /^corpus:\/(.+)#L(\d+)-L(\d+)$/.exec(url) ?? [];
  const lines = readFileSync(join(folder, decodeURIComponent(path ?? '')), 'utf8').split('\n');
  return lines.slice(Number(first) - 1, Number(last)).join('\n');
}

/** The index of a folder as a process that has just started opens it, with what it logged. */
export async function indexOf(
  path: string,
  cacheFolder: string | null = null,
): Promise<{ index: CorpusIndex; logged: ({ level: string; message: string } & Record<string, unknown>)[] }> {
  const logged: ({ level: string; message: string } & Record<string, unknown>)[] = [];
  const at = (level: string) => (fields: object, message: string) => void logged.push({ ...fields, level, message });
  const { index } = await new KeptIndex({ path, packages: false }, { cacheFolder, log: { info: at('info'), warn: at('warn') } }).open();
  return { index, logged };
}
