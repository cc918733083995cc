import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Told in place of the answer what question the command would be asked. */
function shellThatTellsTheQuestion(): string {
  const shell = join(mkdtempSync(join(tmpdir(), 'make-ask-')), 'shell');
  writeFileSync(shell, `#!/bin/sh\nprintf '%s' "$Q"\n`);
  chmodSync(shell, 0o755);
  return shell;
}

describe('make ask', () => {
  it.each([
    ['dollars', 'What does $HOME or $$ or ${PATH} mean?'],
    ['functions of make and of the shell', 'What do $(shell echo made) and $(echo run) and `echo run` do?'],
    ['quotation marks', `What is "this" and 'that' \\ ?`],
  ])('asks with %s what was typed', (_, question) => {
    const words = ['-s', '-o', 'dist/.built', 'ask', `SHELL=${shellThatTellsTheQuestion()}`, `Q=${question}`];
    // Not as a part of the make that runs the tests.
    const env = { ...process.env, MAKEFLAGS: '', MAKELEVEL: '0' };
    expect(execFileSync('make', words, { encoding: 'utf8', env })).toBe(question);
  });
});
