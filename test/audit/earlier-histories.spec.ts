import type { AuditedEvent } from '@lib/audit/audited-event';
import { StreamAudit } from '@lib/audit/stream-audit';
import { canonicalJson } from '@lib/store/history/canonical-json';
import { upcast } from '@lib/store/history/upcasters';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredStream } from '../support/every-event';

/** Histories as earlier builds wrote them, without their content and their chain. */
const FOLDER = join(__dirname, '..', 'store', 'fixtures');
const histories = readdirSync(FOLDER)
  .filter((name) => name.startsWith('history-'))
  .flatMap((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as StoredStream[]);

const CONTENT = Buffer.from('content');
const DIGEST = createHash('sha256').update(CONTENT).digest();

function* chained({ streamId, events }: StoredStream): Generator<AuditedEvent> {
  let prevHash: Buffer = Buffer.alloc(32);
  for (const event of events) {
    const skeleton = { ...event, streamId, id: `evt_${event.version}` };
    const { version, type, schemaVersion, facts, meta, id } = skeleton;
    const text = canonicalJson({ id, streamId, version, type, schemaVersion, facts, meta });
    const hash = createHash('sha256').update(prevHash).update(text).update(DIGEST).digest();
    yield { ...skeleton, facts: { ...facts }, meta: { ...meta }, sealed: CONTENT, sealedSha256: DIGEST, prevHash, hash };
    prevHash = hash;
  }
}

it.each(histories.map((history) => [history.streamId, history] as const))(
  'finds nothing in %s of an earlier build',
  (streamId, history) => {
    const audit = new StreamAudit(streamId, upcast);
    for (const event of chained(history)) audit.take(event);
    expect(audit.end()).toBeNull();
  },
);
