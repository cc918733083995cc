import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import type { StoredReceipt } from '../log/deletion-receipts';
import { exampleId, Identifier, Integer, ListOf, Text } from './schema';

const HASH = 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7';
const EXAMPLE_NOTE = `research-threads deletion receipt 1
{"actor":"key:key_01jd6xw8k2e4zvq7h3m5n9p0rs","checkpoint":{"origin":"audit.example.org/research","root":"CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=","size":163},"deletedAt":"2026-11-21T09:30:00.000Z","remains":{"content":false,"events":23,"key":false},"signedAt":"2026-11-21T09:35:00.000Z","streams":{"count":2,"sha256":"${HASH}"},"tenantId":"acme","threadId":"${exampleId('thr')}"}

— audit.example.org/research Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`;

/** An event of a stream. */
@ApiSchema({ name: 'PlacedHash' })
export class PlacedHashView {
  @Integer(6)
  version!: number;

  /** The event's own hash, in hexadecimal digits. */
  @Text(HASH)
  hash!: string;
}

/** What became of a stream of a deleted thread. */
@ApiSchema({ name: 'ErasedStream' })
export class ErasedStreamView {
  /** The thread itself, or one of its jobs. */
  @Text(exampleId('job'))
  streamId!: string;

  /** The last event before. */
  @ApiProperty()
  head!: PlacedHashView;

  /** The event that says that it was deleted or erased. */
  @ApiProperty()
  erased!: PlacedHashView;
}

/** A signed statement that a thread was deleted, and what of it is left. */
@ApiSchema({ name: 'DeletionReceipt' })
export class DeletionReceiptView {
  @Identifier('thr')
  threadId!: string;

  /** A signed note: who deleted it and when, the digest of `streams`, what remains, and the checkpoint of the log that shows it. */
  @Text(EXAMPLE_NOTE)
  note!: string;

  /** The thread and its jobs. */
  @ListOf(ErasedStreamView)
  streams!: ErasedStreamView[];
}

export const deletionReceiptView = ({
  threadId,
  note,
  streams,
}: Pick<StoredReceipt, 'threadId' | 'note' | 'streams'>): DeletionReceiptView => ({
  threadId,
  note,
  streams: streams
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ErasedStreamView),
});
