import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { LargeInteger, Text } from './schema';

const EXAMPLE_HASH = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
export const EXAMPLE_CHECKPOINT = `audit.example.org/research
163
${EXAMPLE_HASH}
time 2026-11-21T09:30:00.000Z

— audit.example.org/research Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`;

/** Of a log that may have more than 2^31 entries. */
const Hashes = (): PropertyDecorator => ApiProperty({ type: String, isArray: true, example: [EXAMPLE_HASH] });

/** What the leaf of an event is made of. */
@ApiSchema({ name: 'LoggedEvent' })
export class LoggedEventView {
  @Text('job_01jd6xw8k2e4zvq7h3m5n9p0rs')
  streamId!: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 7 })
  version!: number;

  /** The event's own hash, in hexadecimal digits. */
  @Text('d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7')
  hash!: string;

  /** When it was stored, with microseconds; null for events of releases that did not record it. */
  @Text('2026-11-21T09:30:00.123456Z', { nullable: true })
  appendedAt!: string | null;
}

/** A proof that an event stands in the log that a checkpoint signs. */
@ApiSchema({ name: 'InclusionProof' })
export class InclusionProofView {
  event!: LoggedEventView;

  /** The place of the event in the log, counted from 0. */
  @LargeInteger(17)
  index!: number;

  /** How many entries the log of the checkpoint has. */
  @LargeInteger(163)
  size!: number;

  /** The hashes of RFC 6962, section 2.1.1, from the leaf upwards, in base64. */
  @Hashes()
  proof!: string[];

  /** The signed note whose root the proof leads to. */
  @Text(EXAMPLE_CHECKPOINT)
  checkpoint!: string;
}

/** A proof that the log of one size is the beginning of that of a larger one. */
@ApiSchema({ name: 'ConsistencyProof' })
export class ConsistencyProofView {
  @LargeInteger(100)
  from!: number;

  @LargeInteger(163)
  to!: number;

  /** The root at `from`, in base64. */
  @Text(EXAMPLE_HASH)
  fromRoot!: string;

  /** The root at `to`, in base64. */
  @Text(EXAMPLE_HASH)
  toRoot!: string;

  /** The hashes of RFC 6962, section 2.1.2, in base64. */
  @Hashes()
  proof!: string[];

  /** The newest signed note. */
  @Text(EXAMPLE_CHECKPOINT)
  checkpoint!: string;
}
