import { openSync, closeSync, readSync } from 'node:fs';

import { messageOfError } from '@lib/domain/message-of-error';

import type { SettingsProblem } from './settings-error';

/** Largest secret file in bytes: enough for any key or URL, but not for a log that was named by mistake. */
const MAX_SECRET_BYTES = 64 * 1024;

/**
 * Reads a secret from its variable or from the file that `<name>_FILE` names, as container platforms mount them.
 * White space around a file's content is removed.
 */
export function readSecret(name: string, environment: NodeJS.ProcessEnv, problems: SettingsProblem[]): string | undefined {
  const value = environment[name]?.trim() || undefined;
  const file = environment[`${name}_FILE`]?.trim() || undefined;
  if (file === undefined) return value;
  if (value !== undefined) {
    problems.push({ name, value: null, remedy: `and ${name}_FILE are both set; set one of them` });
    return undefined;
  }
  try {
    const secret = readStart(file).trim();
    if (secret !== '') return secret;
    problems.push({ name: `${name}_FILE`, value: file, remedy: 'must name a file that holds the secret, and this one is empty' });
  } catch (error) {
    const reason = messageOfError(error);
    problems.push({ name: `${name}_FILE`, value: file, remedy: `must name a readable file (${reason})` });
  }
  return undefined;
}

function readStart(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(MAX_SECRET_BYTES + 1);
    const length = readSync(descriptor, buffer);
    if (length > MAX_SECRET_BYTES) throw new Error(`it is longer than ${MAX_SECRET_BYTES} bytes`);
    return buffer.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}
