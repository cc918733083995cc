import { closeSync, openSync, readSync } from 'node:fs';

import { isAlias, isScalar, parseDocument, visit } from 'yaml';

import { messageOfError } from '@lib/domain/message-of-error';

import { printable, SettingsError, type SettingsProblem } from './settings-error';

/** Largest settings file in bytes. */
const MAX_FILE_BYTES = 256 * 1024;

/**
 * Reads a YAML 1.2 file as plain data. Refuses aliases (a few lines of them can expand to gigabytes), duplicate keys and unknown tags.
 * @throws SettingsError
 */
export function readYaml(file: string): unknown {
  const refuse = (problem: SettingsProblem): never => {
    throw new SettingsError(file, [problem]);
  };
  const text = readText(file, refuse);
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault) return refuse({ name: 'The file', value: null, remedy: `must be valid YAML (${fault.message.split('\n')[0]})` });
    visit(document, {
      Alias: (_, { source }) => refuse({ name: 'An alias', value: printable(`*${source}`), remedy: 'is not allowed; write the value out' }),
      Pair: (_, { key }) => {
        if (isAlias(key) || (isScalar(key) && typeof key.value === 'string' && key.value !== '__proto__')) return;
        refuse({ name: 'A key', value: printable(key), remedy: 'must be a plain word' });
      },
    });
    return document.toJS() as unknown;
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    return refuse({ name: 'The file', value: null, remedy: `must be YAML that can be read (${String(error)})` });
  }
}

function readText(file: string, refuse: (problem: SettingsProblem) => never): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
      const length = readSync(descriptor, buffer);
      if (length <= MAX_FILE_BYTES) return buffer.toString('utf8', 0, length);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return refuse({
      name: 'The file',
      value: null,
      remedy: `must be readable (${messageOfError(error)})`,
    });
  }
  return refuse({ name: 'The file', value: null, remedy: `must be at most ${MAX_FILE_BYTES} bytes long` });
}
