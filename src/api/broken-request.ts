import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { problemBody } from './problem.filter';
import { PROBLEMS, type EdgeProblemCode } from './problems';

const REFUSALS: Readonly<Record<string, { code: EdgeProblemCode; detail: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request did not arrive within 30 seconds; repeat it.' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The address and header fields are larger than 16 KiB; send less.' },
};
const MALFORMED = { code: 'invalid_request', detail: 'The request is not valid HTTP.' } as const;

/** Responds to bytes that Node cannot parse as a request. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(refusal, requestId, '/'));
  const { status } = PROBLEMS[refusal.code];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
