import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Fields whose lists of values may grow, by the contract. */
const OPEN_FIELDS = new Set(['provider', 'confidence', 'confidenceLevel', 'relation', 'role', 'code']);
export const UNKNOWN = 'unheard_of';

/** Answers as the service does, but with values that a later version may know. */
export async function startLaterVersion(address: string): Promise<{ address: string; server: Server }> {
  const server = createServer((request, response) => {
    const headers = { authorization: request.headers.authorization ?? '' };
    fetch(`${address}${request.url}`, { method: request.method ?? 'GET', headers })
      .then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(JSON.stringify(await answer.json(), withUnknownValues));
      })
      .catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function withUnknownValues(this: object, name: string, value: unknown): unknown {
  const isStepStatus = name === 'status' && 'attempts' in this;
  return typeof value === 'string' && (OPEN_FIELDS.has(name) || isStepStatus) ? UNKNOWN : value;
}
