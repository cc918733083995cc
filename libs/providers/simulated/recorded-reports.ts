import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { NO_CHARGE } from '@lib/domain/money';
import type { ProviderId } from '@lib/domain/vocabulary';

import { readReferences } from '../reference-list';
import { ProviderError } from '../research-provider';
import { citeSources, type CitedText } from '../sources';

const MAX_REPORT_BYTES = 4 * 1024 * 1024;

/** The path of a question's report within the folder of recorded reports. */
export function recordedName(provider: ProviderId, query: string): string {
  return `${provider}/${createHash('sha256').update(query).digest('hex').slice(0, 16)}.md`;
}

/**
 * The recorded report of a provider for a question, with the sources of its reference list.
 * @throws ProviderError `invalid_request`, uncharged, for a missing or unusable file: another attempt would fail in the same way
 */
export async function recordedReport(folder: string, provider: ProviderId, query: string): Promise<CitedText> {
  const name = recordedName(provider, query);
  const { body, references } = readReferences(await readReport(folder, name));
  if (body.trim() === '') throw unusable(name, 'holds no text beside its references');
  return citeSources(body, [], references, true);
}

async function readReport(folder: string, name: string): Promise<string> {
  const content = await readBytes(folder, name);
  if (content.includes(0)) throw unusable(name, 'is binary');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw unusable(name, 'is not UTF-8');
  }
}

async function readBytes(folder: string, name: string): Promise<Buffer> {
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, name));
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) throw unusable(name, 'leads out of the folder');
    const found = await stat(file);
    if (!found.isFile()) throw unusable(name, 'is no file');
    if (found.size > MAX_REPORT_BYTES) throw unusable(name, `has ${found.size} bytes, more than ${MAX_REPORT_BYTES}`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw unusable(name, code === 'ENOENT' || code === 'ENOTDIR' ? 'is missing' : `cannot be read (${code})`);
  }
}

/** The message names the path within the folder, never the folder itself. */
function unusable(name: string, reason: string): ProviderError {
  const message = `There is no recorded report to answer with: ${name} in the folder of the option "reports" ${reason}. Record one there.`;
  return new ProviderError('invalid_request', message, { runEnded: true, charge: NO_CHARGE });
}
