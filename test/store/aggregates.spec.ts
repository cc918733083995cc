import {
  decide,
  emptyStream,
  jobStateIn,
  tenantStateIn,
  threadStateIn,
  type Stream,
  type StreamCommand,
} from '@lib/store/history/aggregates';
import { decideUnit } from '@lib/store/commit/decide-unit';
import { createJob, createTestStore, META, TENANT } from '../support/store';

const STREAMS = { job: 'job_1', thread: 'thr_1', tenant: 'ten_1' };

it.each([
  ['job', jobStateIn],
  ['thread', threadStateIn],
  ['tenant', tenantStateIn],
] as const)('the state of a %s is that of no other stream', (kind, stateIn: (stream: Stream | undefined) => object) => {
  expect(() => stateIn(undefined)).toThrow(new Error(`a stream that is missing is no ${kind}`));
  for (const [other, streamId] of Object.entries(STREAMS)) {
    const stream = emptyStream(streamId);
    expect(stream).toMatchObject({ kind: other, streamId, version: 0, hash: null, at: '', traceId: null });
    if (other === kind) expect(stateIn(stream)).toBe(stream.state);
    else expect(() => stateIn(stream)).toThrow(new Error(`${streamId} is no ${kind}`));
  }
});

it('a command of one kind of stream is decided on no other', () => {
  const commands: StreamCommand[] = [
    { kind: 'job', streamId: '', command: { type: 'CancelJob' } },
    { kind: 'thread', streamId: '', command: { type: 'DeleteThread', tenantId: TENANT } },
  ];
  for (const command of commands)
    for (const [kind, streamId] of Object.entries(STREAMS))
      if (kind !== command.kind)
        expect(() => decide(emptyStream(streamId), command, '', (name) => name)).toThrow(
          `the command ${command.command.type} does not belong to the stream ${streamId}`,
        );
});

it('a unit writes to the streams of one thread', async () => {
  const test = await createTestStore();
  const jobs = [await createJob(test.store), await createJob(test.store)];
  const commands = jobs.map(({ jobId }): StreamCommand => ({ kind: 'job', streamId: jobId, command: { type: 'CancelJob' } }));
  await expect(test.store.execute({ meta: META, commands })).rejects.toThrow('a unit writes to the streams of one thread');
  expect(
    decideUnit({ unit: { meta: META, commands: [] }, eventIds: [], answerBy: 0 }, emptyStream, { keys: new Map(), changed: new Map() }, ''),
  ).toMatchObject({ threadId: '', threadDeleted: false, appended: [] });
  await test.close();
});
