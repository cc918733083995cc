/** One line of the NATS protocol with its payload; its subject if it carries a message. */
export interface NatsFrame {
  bytes: Buffer;
  subject: string | null;
}

/** Cuts a stream of the NATS protocol into its lines, each with its payload if it carries one. */
export class NatsFrames {
  private rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): NatsFrame[] {
    this.rest = Buffer.concat([this.rest, chunk]);
    const frames = [];
    for (let frame = this.first(); frame !== null; frame = this.first()) {
      frames.push(frame);
      this.rest = this.rest.subarray(frame.bytes.length);
    }
    return frames;
  }

  private first(): NatsFrame | null {
    const end = this.rest.indexOf('\r\n');
    if (end === -1) return null;
    const [verb = '', subject = '', ...fields] = this.rest.toString('latin1', 0, end).split(' ');
    const isMessage = ['PUB', 'HPUB', 'MSG', 'HMSG'].includes(verb);
    const length = end + 2 + (isMessage ? Number(fields.at(-1)) + 2 : 0);
    return length > this.rest.length ? null : { bytes: this.rest.subarray(0, length), subject: isMessage ? subject : null };
  }
}
