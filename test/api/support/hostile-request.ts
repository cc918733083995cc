/** A request that must be refused, and how. `{threadId}` and `{jobId}` in the path stand for things that exist. */
export interface HostileRequest {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  status: number;
  code: string;
  /** Pointers of the violations, in order. */
  pointers: string[];
  allow?: string;
}

export const JSON_TYPE = { 'content-type': 'application/json' };
export const THREAD = '/v1/threads/{threadId}';
export const JOB = `${THREAD}/jobs/{jobId}`;

/** A refusal with 400 and without pointers, unless said otherwise. */
export const refused = (name: string, method: string, path: string, expected: Partial<HostileRequest>): HostileRequest => {
  const code = expected.code ?? 'invalid_request';
  return { name: `${method} ${path}: ${name}`, method, path, headers: {}, body: undefined, status: 400, pointers: [], ...expected, code };
};
