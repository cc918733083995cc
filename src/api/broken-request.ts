import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { problemBody } from './problem.filter';
import { PROBLEMS, type EdgeProblemCode } from './problems';

interface Refusal {
  code: EdgeProblemCode;
  detail: string;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request did not arrive within 30 seconds; repeat it.' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The address and header fields are larger than 16 KiB; send less.' },
};
const MALFORMED: Refusal = { code: 'invalid_request', detail: 'The request is not valid HTTP.' };
const SLOW_BODY: Refusal = {
  code: 'request_timeout',
  detail: 'The body arrived so slowly that others needed its room; repeat the request.',
};

/** Responds to bytes that Node cannot parse as a request. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  socket.end(responseTo(REFUSALS[error.code ?? ''] ?? MALFORMED));
}

/** Ends a request whose body is still arriving. */
export function answerSlowBody(socket: Socket): void {
  socket.write(responseTo(SLOW_BODY));
  socket.destroySoon();
}

function responseTo(refusal: Refusal): string {
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
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
