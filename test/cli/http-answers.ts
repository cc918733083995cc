import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HttpAnswer = (response: ServerResponse) => unknown;

const opened: (() => void)[] = [];
afterEach(() => opened.splice(0).forEach((close) => close()));

/** A program at an address that answers the n-th request by the n-th of these, and further ones by the last. Stops when the test ends. */
export const answering = (...answers: HttpAnswer[]): Promise<Program> => answeringOn('127.0.0.1', ...answers);

interface Program {
  address: string;
  port: string;
  asked: IncomingMessage[];
}

/** The same at an address of this machine. */
export async function answeringOn(host: string, ...answers: HttpAnswer[]): Promise<Program> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answers[Math.min(asked.length, answers.length) - 1]?.(response);
  }).listen(0, host);
  opened.push(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  return { address: `http://${host}:${port}`, port, asked };
}

export const says =
  (status: number, text: string, type = 'application/problem+json'): HttpAnswer =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(text);

export const hangsUp: HttpAnswer = (response) => response.socket?.destroy();
