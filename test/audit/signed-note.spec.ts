import { parseCheckpoint, textOfCheckpoint, type Checkpoint } from '@lib/audit/format/checkpoint';
import { keyIdOf, keyOfText, parseNote, signedNote, signerKey, signersOf, textOfKey } from '@lib/audit/format/signed-note';
import { createHash } from 'node:crypto';
import fc from '../support/properties';
import { cosignatureLine } from '../support/witness';

const ORIGIN = 'example.com/log';
const log = signerKey(ORIGIN, Buffer.alloc(32, 1));
const other = signerKey(ORIGIN, Buffer.alloc(32, 2));
const witness = { ...signerKey('witness.example', Buffer.alloc(32, 3)), type: 4 as const };
const CHECKPOINT: Checkpoint = {
  ...{ origin: ORIGIN, size: 20_852_163, root: createHash('sha256').update('root').digest(), time: '2026-11-22T10:00:00.000Z' },
  predecessor: { origin: 'example.com/old', size: 17, root: createHash('sha256').update('old').digest() },
};
const text = textOfCheckpoint(CHECKPOINT);

/** The example of golang.org/x/mod/sumdb/note, which was signed by another program. */
const GO_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const GO_NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

it('reads a key and a note that another program made', () => {
  const key = keyOfText(GO_KEY);
  expect({ id: keyIdOf(key), text: textOfKey(key) }).toEqual({ id: 'c74f20a3', text: GO_KEY });
  expect(signersOf(parseNote(GO_NOTE), [key])).toEqual([key]);
});

it('writes a checkpoint line by line, and reads it back', () => {
  const root = CHECKPOINT.root.toString('base64');
  const old = CHECKPOINT.predecessor?.root.toString('base64');
  expect(text).toBe(`${ORIGIN}\n20852163\n${root}\ntime 2026-11-22T10:00:00.000Z\npredecessor example.com/old 17 ${old}\n`);
  expect(parseCheckpoint(text)).toEqual(CHECKPOINT);
  expect(parseCheckpoint(`${ORIGIN}\n0\n${root}\n`)).toEqual({ ...CHECKPOINT, size: 0, time: null, predecessor: null });
});

it('tells who signed, whatever else stands in the note', () => {
  const note = parseNote(signedNote(text, [log, other]) + cosignatureLine(text, witness, 1_800_000_000));
  expect(note.text).toBe(text);
  expect(signersOf(note, [log])).toEqual([log]);
  expect(signersOf(note, [other, witness])).toEqual([other, witness]);
  expect(signersOf(note, [])).toEqual([]);
});

it('refuses a note of which any bit was changed', () => {
  const note = Buffer.from(signedNote(text, [log]) + cosignatureLine(text, witness, 1_800_000_000));
  const isIntact = (bytes: Buffer): boolean => {
    try {
      const signers = signersOf(parseNote(bytes.toString()), [log, witness]);
      return signers?.length === 2;
    } catch {
      return false;
    }
  };
  expect(isIntact(note)).toBe(true);
  fc.assert(
    fc.property(fc.nat(note.length - 1), fc.nat(7), (at, bit) => {
      const copy = Buffer.from(note);
      copy[at] = (copy[at] as number) ^ (1 << bit);
      expect(isIntact(copy)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['nothing', ''],
  ['no signature', text],
  ['no end', signedNote(text, [log]).slice(0, -1)],
  ['a line that is no signature', `${signedNote(text, [log])}— \n`],
  ['control characters', signedNote(text, [log]).replace('\n', '\r\n')],
  ['a note without end', `${'x\n'.repeat(40_000)}\n— a AAAAAAAA\n`],
])('refuses %s as a note', (_, note) => expect(() => parseNote(note)).toThrow(/signed note|signature/));

it.each([
  ['no root', `${ORIGIN}\n5\n`],
  ['a size with a leading zero', `${ORIGIN}\n05\n${CHECKPOINT.root.toString('base64')}\n`],
  ['a size below nothing', `${ORIGIN}\n-5\n${CHECKPOINT.root.toString('base64')}\n`],
  ['a root that is short', `${ORIGIN}\n5\nAAAA\n`],
  ['an origin with a space', `a b\n5\n${CHECKPOINT.root.toString('base64')}\n`],
  ['an empty extension', `${ORIGIN}\n5\n${CHECKPOINT.root.toString('base64')}\n\n`],
])('refuses %s as a checkpoint', (_, wrong) => expect(() => parseCheckpoint(wrong)).toThrow('is not a checkpoint'));

it.each([
  ['another id', GO_KEY.replace('c74f20a3', 'c74f20a4'), 'has the id c74f20a4, and that of this name and key is c74f20a3'],
  ['an unknown type', `a+00000000+${Buffer.alloc(33, 7).toString('base64')}`, 'must be a verifier key'],
  ['no name', GO_KEY.slice('PeterNeumann'.length), 'must be a verifier key'],
  ['half a key', GO_KEY.slice(0, 40), 'must be a verifier key'],
])('refuses a key with %s', (_, key, why) => expect(() => keyOfText(key)).toThrow(why));
