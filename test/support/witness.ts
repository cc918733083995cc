import { createHash, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseCheckpoint } from '@lib/audit/format/checkpoint';
import { isConsistent } from '@lib/audit/format/merkle-proofs';
import { parseNote, signerKey, signersOf, textOfKey, type SignerKey, type VerifierKey } from '@lib/audit/format/signed-note';

interface Seen {
  size: number;
  root: Buffer;
}

/**
 * The line by which a witness states that until this time it had seen nothing of this log that contradicts the text. It follows C2SP
 * "tlog-cosignature" by itself, so that the service's reading of the format is held to the specification and not to code of its own.
 */
export function cosignatureLine(text: string, { name, publicKey, privateKey }: SignerKey, seconds: number): string {
  const keyId = createHash('sha256').update(`${name}\n\x04`).update(publicKey).digest().subarray(0, 4);
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(seconds));
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), privateKey);
  return `— ${name} ${Buffer.concat([keyId, time, signature]).toString('base64')}\n`;
}

/** A witness of C2SP "tlog-witness": it cosigns what continues the log that it has seen, and nothing else. */
export class Witness {
  readonly key = { ...signerKey('witness.example/w1', Buffer.alloc(32, 9)), type: 4 as const };
  /** The newest checkpoint of each log. */
  readonly seen = new Map<string, Seen>();
  /** What it answered, in order. */
  readonly answered: number[] = [];
  private readonly server: Server;

  /**
   * @param trusted keys of the log of this name
   * @param claim a size that it says to have seen of every log, without a look
   */
  private constructor(
    private readonly trusted: (name: string) => VerifierKey[],
    private readonly claim: string | null,
  ) {
    this.server = createServer((request, response) => {
      void text(request).then((body) => {
        const { status, said } =
          request.url === '/w/add-checkpoint' && request.method === 'POST' ? this.take(body) : { status: 404, said: '' };
        this.answered.push(status);
        response.writeHead(status, { 'content-type': status === 409 ? 'text/x.tlog.size' : 'text/plain' }).end(said);
      });
    });
  }

  static async start(trusted: (name: string) => VerifierKey[], claim: string | null = null): Promise<Witness> {
    const witness = new Witness(trusted, claim);
    witness.server.listen(0, '127.0.0.1');
    await once(witness.server, 'listening');
    return witness;
  }

  get setting(): { key: string; url: string } {
    return { key: textOfKey(this.key), url: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/w` };
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private take(body: string): { status: number; said: string } {
    if (this.claim !== null) return { status: 409, said: this.claim };
    const [, oldText = '', proofText = '', noteText = ''] = /^old (0|[1-9]\d*)\n((?:[A-Za-z0-9+/]+=*\n)*)\n([^]*)$/.exec(body) ?? [];
    if (oldText === '') return { status: 400, said: '' };
    const note = parseNote(noteText);
    const { origin, size, root } = parseCheckpoint(note.text);
    const keys = this.trusted(origin);
    if (keys.length === 0) return { status: 404, said: '' };
    if ((signersOf(note, keys) ?? []).length === 0) return { status: 403, said: '' };
    const old = Number(oldText);
    if (old > size) return { status: 400, said: '' };
    const seen = this.seen.get(origin) ?? { size: 0, root: Buffer.alloc(0) };
    if (seen.size !== old) return { status: 409, said: `${seen.size}\n` };
    const hashes = proofText
      .split('\n')
      .slice(0, -1)
      .map((line) => Buffer.from(line, 'base64'));
    const proof = { first: old, second: size, firstRoot: seen.root, secondRoot: root, hashes };
    if (old === 0 ? hashes.length > 0 : !isConsistent(proof)) return { status: 422, said: '' };
    this.seen.set(origin, { size, root });
    return { status: 200, said: cosignatureLine(note.text, this.key, 1_800_000_000) };
  }
}
