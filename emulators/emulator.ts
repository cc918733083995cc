import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { CALLS, type Call } from './behaviours';
import { sendError } from './delivery';
import { Ledger } from './ledger';
import { Provider } from './provider';
import type { Wire } from './wire';
import { WIRES, type EmulatedApi } from './wires';

export interface EmulatorOptions {
  /** 0, the default, lets the system choose. */
  port?: number;
  /** A file that gets each line of the ledger as it is written. */
  ledgerFile?: string;
  /** How long a run works. Default: 20 ms. */
  workMs?: number;
  /** The only accepted key. Default: any key. */
  key?: string;
}

/** A request that reached an emulator. */
export interface ReceivedRequest {
  method: string;
  /** Includes the query. */
  path: string;
  body: unknown;
}

const MAX_REMEMBERED = 200;
/** Paths at which an API lists or describes models, used to check keys. Every model exists. */
const MODELS = /^\/models(\/[^/]+)?$/;
const MODEL = { object: 'model' };
const DEFAULT_WORK_MS = 20;

/** Starts an emulated API on loopback. */
export async function startEmulator(api: EmulatedApi, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = new Emulator(api, WIRES[api], options);
  await emulator.listen();
  return emulator;
}

/** A provider's API on loopback. It answers in the documented shapes, with invented content that says so. */
export class Emulator {
  readonly ledger: Ledger;
  private readonly server: Server;
  private readonly provider: Provider;
  /** Number of requests so far. */
  requestCount = 0;
  private readonly received: ReceivedRequest[] = [];

  constructor(
    readonly api: string,
    private readonly wire: Wire,
    private readonly options: EmulatorOptions,
  ) {
    this.ledger = new Ledger(api, options.ledgerFile);
    this.provider = new Provider(api, wire, this.ledger, options.workMs ?? DEFAULT_WORK_MS);
    this.server = createServer((request, response) => {
      this.serve(request, response).catch((error: unknown) => {
        if (response.headersSent || response.destroyed) response.destroy();
        else sendError(response, { code: 500 }, { error: String(error) });
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(this.options.port ?? 0, '127.0.0.1', resolve);
    });
  }

  /** Without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The `baseUrl` for an adapter. */
  get baseUrl(): string {
    return this.url + this.wire.basePath;
  }

  /** Whether its runs can be polled. */
  get canBePolled(): boolean {
    return this.wire.poll !== undefined;
  }

  /** The last 200 requests, latest last. */
  get requests(): readonly ReceivedRequest[] {
    return this.received;
  }

  /** Total charge of all runs so far, in micro-dollars. */
  get chargedMicros(): number {
    return this.ledger.read().reduce((sum, { chargedMicros }) => sum + chargedMicros, 0);
  }

  /** Sets its behaviours from now on, in the syntax of `parseBehaviours`; empty for as documented. */
  behave(behaviours?: string): void {
    this.provider.behave(behaviours);
  }

  async stop(): Promise<void> {
    this.provider.discardRuns();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '/' } = request;
    const body = parseJson(await buffer(request));
    if (path.startsWith('/emulator/')) return this.control(method, path, body, response);
    this.requestCount += 1;
    this.received.push({ method, path, body });
    if (this.received.length > MAX_REMEMBERED) this.received.shift();
    const refuse = (code: number, message: string): void => sendError(response, { code }, this.wire.error(code, message));
    const { pathname, searchParams } = new URL(path, this.url);
    if (searchParams.has('key')) return refuse(400, 'A key does not belong into an address');
    if (!this.accepts(this.wire.key(request.headers))) return refuse(401, 'Invalid API key');
    if (method === 'GET' && MODELS.test(pathname.slice(this.wire.basePath.length))) return void response.end(JSON.stringify(MODEL));
    const call = this.callOf(method, pathname);
    if (!call) return refuse(404, `There is no ${method} ${pathname}`);
    const groups = { ...this.wire[call]?.path.exec(pathname)?.groups };
    return this.provider[call]({ body, groups, response, gone: goneSignal(response), refuse });
  }

  private accepts(key: string | undefined): boolean {
    const { key: right } = this.options;
    return key === undefined ? this.wire.keyOptional === true : right === undefined || key === right;
  }

  private callOf(method: string, pathname: string): Call | undefined {
    return CALLS.find((call) => this.wire[call]?.method === method && this.wire[call].path.test(pathname));
  }

  /** Serves processes other than the one that started the emulator. */
  private control(method: string, path: string, body: unknown, response: ServerResponse): void {
    if (path === '/emulator/ledger' && method === 'GET') response.end(JSON.stringify(this.ledger.read()));
    else if (path === '/emulator/behaviours' && method === 'PUT') {
      this.behave(String(body));
      response.writeHead(204).end();
    } else sendError(response, { code: 404 }, { error: 'Use GET /emulator/ledger or PUT /emulator/behaviours with a JSON text' });
  }
}

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new Error('the client has gone away'));
  });
  return gone.signal;
}

/** Undefined if the text is not JSON. */
function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString()) as unknown;
  } catch {
    return undefined;
  }
}
