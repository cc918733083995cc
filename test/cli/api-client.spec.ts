import { ApiClient } from '../../src/cli/api-client';
import { answering, hangsUp, says, type HttpAnswer } from './http-answers';

/** A stream of these events that ends, or that breaks off. */
const streams =
  (events: object[], breaksOff = false): HttpAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    response.write(text || ':\n\n', () => (breaksOff ? response.destroy() : response.end()));
  };
const HTML = '<html>\n<h1>502 Bad Gateway</h1>\n</html>';
const [FIRST, LAST] = [
  { version: 1, type: 'JobRequested' },
  { version: 2, type: 'JobCompleted' },
];

const clientOf = (address: string, tries = 3) => new ApiClient(address, 'key', new AbortController().signal, { retryMs: 1, tries });
async function followed(client: ApiClient): Promise<number[]> {
  const versions: number[] = [];
  for await (const { version } of client.followJob('thr_1', 'job_1')) versions.push(version);
  return versions;
}

describe('a call', () => {
  it.each([
    ['a proxy', says(502, HTML, 'text/html'), '502: <html> <h1>502 Bad Gateway</h1> </html>'],
    ['a program that is none of ours', says(200, 'Hello', 'text/plain'), '200: Hello'],
    ['nobody who says why', says(503, ''), '503: no reason given'],
    ['the service', says(404, '{"code":"job_not_found","error":"There is no job job_1."}'), '404: There is no job job_1.'],
  ])('that is answered by %s names method, address, status and what was said', async (_, answer, words) => {
    const { address } = await answering(answer);
    await expect(clientOf(address).getJob('thr_1', 'job_1')).rejects.toThrow(
      `GET ${address}/v1/threads/thr_1/jobs/job_1 was answered with ${words}`,
    );
  });

  it('that nobody answers names the address', async () => {
    await expect(clientOf('http://127.0.0.1:1').createThread({})).rejects.toThrow(
      /^POST http:\/\/127\.0\.0\.1:1\/v1\/threads was not answered/,
    );
  });
});

describe('a job that is followed', () => {
  it('is followed on from its last event after whatever passes', async () => {
    const { address, asked } = await answering(
      hangsUp,
      says(503, '{"error":"The service is stopping."}'),
      streams([FIRST], true),
      hangsUp,
      says(502, HTML, 'text/html'),
      streams([]),
      streams([LAST]),
    );
    expect(await followed(clientOf(address))).toEqual([1, 2]);
    const path = 'GET /v1/threads/thr_1/jobs/job_1/events';
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(Array<string>(7).fill(path));
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined, undefined, '1', '1', '1', '1']);
  });

  it('is given up after as many tries in a row as there are', async () => {
    const { address, asked } = await answering(streams([FIRST]), says(503, '{"error":"The service is stopping."}'));
    await expect(followed(clientOf(address))).rejects.toThrow(
      /^job_1 goes on and is no longer followed, after 3 tries: .* 503: The service is stopping/,
    );
    expect(asked).toHaveLength(4);
  });

  it.each([
    ['a refusal', says(401, '{"error":"The key is unknown."}'), '401: The key is unknown.'],
    ['what is no stream', says(200, '{}'), 'no event stream: {}'],
  ])('is not asked for again after %s', async (_, answer, words) => {
    const { address, asked } = await answering(answer);
    await expect(followed(clientOf(address))).rejects.toThrow(words);
    expect(asked).toHaveLength(1);
  });
});
