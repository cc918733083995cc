import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Role } from '../../src/roles';
import { entryOf, type Logs } from './logs';
import { PROGRAM_ENVIRONMENT } from './program-environment';

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The build under test. */
const MAIN = resolve(__dirname, '../../dist/src/main.js');
const START_TIMEOUT_MS = 60_000;

/** One role of the built service as a process of its own. */
export class RoleProcess {
  /** Of its HTTP server, once it serves. */
  address: string | null = null;
  /** Rejects with what the process said if it ends before it serves. */
  readonly serving: Promise<void>;
  /** How it ended, once it has, and when everything that it wrote is in the log. */
  readonly ended: Promise<Ending>;
  private readonly child: ChildProcess;
  private isTold = false;

  constructor(
    readonly role: Role,
    readonly name: string,
    environment: Record<string, string>,
    private readonly logs: Logs,
    main = MAIN,
  ) {
    if (!existsSync(main)) throw new Error(`${main} is missing: these tests run the built service; \`make test\` builds it first`);
    const env = { ...PROGRAM_ENVIRONMENT, TZ: 'UTC', PORT: '0', ...environment };
    this.child = spawn(process.execPath, [main, role], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.ended = new Promise((accept) => this.child.once('close', (code, signal) => accept({ code, signal })));
    this.serving = this.waitUntilServing();
    // Of a process that is meant to die nobody asks.
    this.serving.catch(() => undefined);
  }

  get isRunning(): boolean {
    return this.address !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** It served and ended by itself: an error that nobody caught. */
  get isCrashed(): boolean {
    return this.address !== null && this.child.exitCode !== null && !this.isTold;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Asks what a preloaded module answers; never resolves if none is, or the process ends first. */
  ask(question: object): Promise<unknown> {
    return new Promise((resolve) => {
      this.child.once('message', resolve);
      this.child.send(question, () => undefined);
    });
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

  private async waitUntilServing(): Promise<void> {
    const { promise, resolve: serve, reject } = Promise.withResolvers<void>();
    const said: string[] = [];
    const fail = (what: string) => reject(new Error(`${this.name} ${what}:\n${said.join('\n')}`));
    const impatience = setTimeout(() => fail('does not start'), START_TIMEOUT_MS);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (!stream) continue;
      createInterface(stream).on('line', (line) => {
        this.logs.add(this.name, line);
        if (this.address !== null) return;
        said.push(line);
        const { reason, address } = entryOf(line);
        if (reason !== 'started') return;
        this.address = String(address);
        serve();
      });
    }
    void this.ended.then(({ code, signal }) => fail(`ended with ${code ?? signal}`));
    await promise.finally(() => clearTimeout(impatience));
  }
}
