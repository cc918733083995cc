import { execFileSync, spawnSync } from 'node:child_process';
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

// Not as a part of the make that runs the tests, and with no variable of its own.
const { Q: _question, SPIDERING: _spidering, ...outside } = process.env;
const env = { ...outside, MAKEFLAGS: '', MAKELEVEL: '0' };

/** What make would run, and what it says instead. */
function commandOf(...variables: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync('make', ['-n', '-o', 'dist/.built', 'ask', ...variables], { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

describe('make ask', () => {
  it.each([
    ['dollars', 'What does $HOME or $$ or ${PATH} mean?'],
    ['functions of make and of the shell', 'What do $(shell echo made) and $(echo run) and `echo run` do?'],
    ['quotation marks', `What is "this" and 'that' \\ ?`],
  ])('asks with %s what was typed', (_, question) => {
    const words = ['-s', '-o', 'dist/.built', 'ask', `SHELL=${shellThatTellsTheQuestion()}`, `Q=${question}`];
    expect(execFileSync('make', words, { encoding: 'utf8', env })).toBe(question);
  });
  it.each(['1', 'true', 'yes'])('follows topics where SPIDERING=%s asks for it', (value) => {
    expect(commandOf('Q=q', `SPIDERING=${value}`).stdout).toContain(' --spidering ');
  });

  it.each(['', '0', 'false', 'no'])('follows no topics where SPIDERING=%s does not ask for it', (value) => {
    const { status, stdout } = commandOf('Q=q', `SPIDERING=${value}`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining('--spidering') });
  });

  it('refuses any other SPIDERING', () => {
    const { status, stderr } = commandOf('Q=q', 'SPIDERING=maybe');
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('SPIDERING is "maybe": set it to 1 or leave it out') });
  });

  it('hands an empty question on, which is refused, and none where none is given', () => {
    expect(commandOf('Q=').stdout).toMatch(/ -- "\$Q"\n$/);
    expect(commandOf().stdout).toMatch(/ -- \n$/);
  });
});
