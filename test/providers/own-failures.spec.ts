import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { networkFailure } from '@lib/providers/http-failures';

const HTTP = resolve(__dirname, '../../dist/libs/providers/http.js');

/** Opens files until none is left, and then calls. */
const CALLS = `
  const { createHttp } = require(process.argv[1]);
  try { for (;;) require('node:fs').openSync('/dev/null'); } catch {}
  createHttp({ baseUrl: process.argv[2], headers: {}, headersTimeoutMs: 500 })[process.argv[3]]('/x', ...(process.argv[3] === 'post' ? [{}] : []), new AbortController().signal)
    .catch(({ errorClass, message, details }) => console.log(JSON.stringify({ errorClass, message, details })));`;

async function calledWithoutFiles(baseUrl: string, method: 'post' | 'get'): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -n 60 && exec "$0" "$@"',
    process.execPath,
    '-e',
    CALLS,
    HTTP,
    baseUrl,
    method,
  ]);
  return JSON.parse(stdout);
}

describe('a worker that cannot open another file', () => {
  it.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://provider.invalid'])(
    'says so of a submit to %s, which was not called and cost nothing',
    async (baseUrl) => {
      expect(await calledWithoutFiles(baseUrl, 'post')).toEqual({
        errorClass: 'not_called',
        message: expect.stringMatching(/^Not called: the worker could not connect, because it has as many files .*\(ulimit -n\)/),
        details: { charge: { micros: 0, provenance: 'computed' } },
      });
    },
  );

  it('says so of a poll, whose run may go on', async () => {
    expect(await calledWithoutFiles('http://127.0.0.1:1', 'get')).toEqual({
      errorClass: 'unavailable',
      message: expect.stringContaining('the worker could not connect, because it has as many files'),
      details: {},
    });
  });
});

describe('where the worker’s machine lacks something', () => {
  const failed = (code: string, syscall = 'connect') => Object.assign(new Error(code), { code, syscall });
  const classOf = (error: Error) => networkFailure(error, 'POST').errorClass;

  it.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOMEM', 'ENOBUFS'])('%s is told as the worker’s', (code) => {
    expect(classOf(failed(code))).toBe('not_called');
    expect(classOf(new TypeError('fetch failed', { cause: failed(code) }))).toBe('not_called');
    expect(classOf(Object.assign(new AggregateError([failed(code), failed(code)]), { code }))).toBe('not_called');
  });

  it('it is not told as the worker’s if something may have been sent, or the provider refused at another of its addresses', () => {
    expect(networkFailure(failed('ENOMEM', 'write'), 'POST')).toMatchObject({ errorClass: 'unavailable', details: {} });
    const tries = [failed('EADDRNOTAVAIL'), failed('ECONNREFUSED')];
    expect(classOf(Object.assign(new AggregateError(tries), { code: 'EADDRNOTAVAIL' }))).toBe('unavailable');
    expect(classOf(failed('ENOTFOUND', 'getaddrinfo'))).toBe('unavailable');
  });
});
