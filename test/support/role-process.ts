import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Role } from '../../src/roles';
import { entryOf, type Logs } from './logs';

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const MAIN = resolve(__dirname, '../../dist/src/main.js');
const START_TIMEOUT_MS = 60_000;

/** One role of the built service as a process of its own. */
export class RoleProcess {
  private isTold = false;

  private constructor(
    readonly role: Role,
    readonly name: string,
    /** Address of its HTTP server. */
    readonly address: string,
    private readonly child: ChildProcess,
    /** How it ended, once it has, and when everything that it wrote is in the log. */
    readonly ended: Promise<Ending>,
  ) {}

  /** @throws Error with what the process said if it ends before it serves */
  static async start(role: Role, name: string, environment: Record<string, string>, logs: Logs): Promise<RoleProcess> {
    if (!existsSync(MAIN)) throw new Error('dist/src/main.js is missing: these tests run the built service; `make test` builds it first');
    const env = { PATH: process.env.PATH, TZ: 'UTC', PORT: '0', ...environment };
    const child = spawn(process.execPath, [MAIN, role], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<Ending>((accept) => child.once('close', (code, signal) => accept({ code, signal })));
    const said: string[] = [];
    const address = await new Promise<string>((accept, reject) => {
      const impatience = setTimeout(() => reject(new Error(`${role} does not start:\n${said.join('\n')}`)), START_TIMEOUT_MS);
      for (const stream of [child.stdout, child.stderr]) {
        createInterface(stream).on('line', (line) => {
          logs.add(name, line);
          said.push(line);
          const { reason, address } = entryOf(line);
          if (reason === 'started') accept(String(address));
        });
      }
      void ended.then(({ code, signal }) => reject(new Error(`${role} ended with ${code ?? signal}:\n${said.join('\n')}`)));
      void ended.finally(() => clearTimeout(impatience));
    }).catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    });
    return new RoleProcess(role, name, address, child, ended);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** It ended by itself: an error that nobody caught. */
  get isCrashed(): boolean {
    return this.child.exitCode !== null && !this.isTold;
  }

  send(signal: NodeJS.Signals): void {
    this.isTold = true;
    this.child.kill(signal);
  }

  /** kill -9 */
  kill(): Promise<Ending> {
    this.send('SIGKILL');
    return this.ended;
  }

  /** As an operator stops it. */
  stop(): Promise<Ending> {
    this.send('SIGTERM');
    return this.ended;
  }
}
