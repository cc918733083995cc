import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import canonicalize from 'canonicalize';
import { FILES } from '@lib/audit/format/bundle/files';
import { costOf, Prices } from '@lib/providers/prices';
import { parseNote, signedNote, signerKey, textOfKey } from '@lib/audit/format/signed-note';
import {
  Bundles,
  exampleHistories,
  forgeByCosigning,
  onLines,
  rechain,
  signed,
  type Line,
  verifierKey,
  withoutReceipts,
} from '../support/bundles';
import { report, start, success } from '../support/job-history';
import fc from '../support/properties';
import { candidate, createJob, createTestStore, type TestStore } from '../support/store';
import { onJob } from '../support/streams';
import { verifyBundle } from '../../src/audit/bundle/verify-bundle';

/** `docs/audit/verify.py`, which was written from docs/audit.md, on bundles that the product wrote. */

const SCRIPT = resolve(__dirname, '../../docs/audit/verify.py');
const PATIENCE_MS = 120_000;
jest.setTimeout(PATIENCE_MS);

const PRICES = {
  ...{ inputMicrosPerMillionTokens: 250_000, cachedInputMicrosPerMillionTokens: 62_500 },
  ...{ outputMicrosPerMillionTokens: 2_500_000, perSearchMicros: 5_000 },
};
const hasPython = spawnSync('python3', ['--version']).status === 0;
const withPython = hasPython ? describe : describe.skip;
const python = (args: string[], input = '') => {
  const { status, stdout, stderr } = spawnSync('python3', ['-B', ...args], { input, encoding: 'utf8', env: { PATH: process.env.PATH } });
  return { status, stdout, stderr };
};
/** Evaluates an expression of the script for each line of JSON. */
const evaluated = (expression: string, inputs: unknown[]): unknown =>
  JSON.parse(
    python(
      [
        '-c',
        `import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('verify', ${JSON.stringify(SCRIPT)})
verify = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verify)
print(json.dumps([${expression} for given in json.load(sys.stdin)]))`,
      ],
      JSON.stringify(inputs),
    ).stdout,
  );

withPython('the script of the documentation, with python3', () => {
  const bundles = new Bundles();
  let test: TestStore;
  let [whole, jobId, threadId, deletedId] = ['', '', '', ''];
  const kept = join(bundles.root, 'kept');
  beforeAll(async () => {
    test = await createTestStore();
    const made = await exampleHistories(test.store);
    ({ jobId, threadId, deletedId } = made);
    writeFileSync(kept, made.kept);
    ({ folder: whole } = await bundles.export(test.store.pool, { since: new Date(0) }));
  });
  afterAll(async () => {
    bundles.remove();
    await test.close();
  });

  it('finds nothing wrong with what nobody changed', async () => {
    const options = ['--key', textOfKey(verifierKey), '--against', kept];
    expect(python([SCRIPT, whole, ...options])).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+ events of 6 histories/),
      stderr: '',
    });
    for (const scope of [{ jobId }, { threadId }, { tenantId: 'tenant-one' }, { since: new Date(Date.now() - 3_600_000) }]) {
      const { folder } = await bundles.export(test.store.pool, scope);
      expect(python([SCRIPT, folder])).toMatchObject({ status: 0, stderr: '' });
    }
  });

  it.each(['--key', '--against'])('trusts nobody in place of a missing value: %s', (option) => {
    expect(python([SCRIPT, whole, option])).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('--key') });
  });

  it('names a deleted thread of which there is no receipt', () => {
    expect(python([SCRIPT, bundles.changed(whole, withoutReceipts)])).toEqual({
      status: 0,
      stdout: expect.stringMatching(`^notice: thread ${deletedId} is deleted and the bundle has no receipt of it\n\\d+ events`),
      stderr: '',
    });
  });

  it.each<[string, (lines: Line[]) => Line[], string]>([
    [
      'an event twice',
      (lines) => lines.flatMap((line) => (line === ofJob(lines, 3) ? [line, line] : [line])),
      'version 3 version: event 3 comes again, or not in its place',
    ],
    [
      'two events in each other’s place',
      (lines) =>
        lines.map((line) => ({ [2]: ofJob(lines, 3), [3]: ofJob(lines, 2) })[line.streamId === jobId ? Number(line.version) : 0] ?? line),
      'version 2 version: event 2 is missing, or not in its place: event 3 comes here',
    ],
  ])('names as `research verify` does %s', async (_, change, told) => {
    const folder = bundles.changed(whole, onLines(FILES.events, change));
    const { faults } = await verifyBundle(folder, [], [], () => undefined);
    expect(faults.map(({ version, field, what }) => `version ${version} ${field}: ${what}`)).toContain(told);
    expect(python([SCRIPT, folder])).toMatchObject({ status: 1, stdout: expect.stringContaining(told) });
  });

  it('says as `research verify` does that a key is of another log', async () => {
    const key = signerKey('audit.example.org/another', Buffer.alloc(32, 8));
    const told = 'with --key. It is signed as audit.example.org/log, and the key that you named is of audit.example.org/another';
    const { faults } = await verifyBundle(whole, [], [key], () => undefined);
    expect(faults[0]?.what).toContain(told);
    expect(python([SCRIPT, whole, '--key', textOfKey(key)])).toMatchObject({ status: 1, stdout: expect.stringContaining(told) });
  });

  it('says as `research verify` does what of the prices is missing', async () => {
    const { jobId: computed, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a', { max: 400_000 })] });
    const usage = { inputTokens: 1_000, cachedInputTokens: 0, outputTokens: 100, searches: 1 };
    const charge = costOf(usage, Object.assign(new Prices(), PRICES), 1);
    for (const stepId of stepIds)
      await onJob(test.store, computed, start(stepId), report(stepId, 1, { ...success(charge.micros), charge }));
    await signed(test.store.pool);
    const sha256 = String(charge.pricesSha256);
    const { folder } = await bundles.export(test.store.pool, { jobId: computed }, [], new Map([[sha256, PRICES]]));
    const said = async (changed: string) => {
      const { faults, notices } = await verifyBundle(changed, [], [], () => undefined);
      const { status, stdout } = python([SCRIPT, changed]);
      return { product: { faults: faults.map(({ field, what }) => `${field}: ${what}`), notices }, script: { status, stdout } };
    };
    const open = expect.stringContaining('no final event');
    expect(await said(folder)).toEqual({
      product: { faults: [], notices: [open] },
      script: { status: 0, stdout: expect.not.stringContaining('notice') },
    });
    const noLine = `facts.charge: prices.jsonl has no line of its price table ${sha256}`;
    expect(
      await said(
        bundles.changed(
          folder,
          onLines(FILES.prices, () => []),
        ),
      ),
    ).toEqual({
      product: { faults: [noLine], notices: [] },
      script: { status: 1, stdout: expect.stringContaining(`${computed} version 3 ${noLine}`) },
    });
    const unchecked = 'computed charges that could not be recomputed, as prices.jsonl has null for their price table: 1';
    const nulled = onLines(FILES.prices, ([line]) => void Object.assign(line ?? {}, { prices: null }));
    expect(await said(bundles.changed(folder, nulled))).toEqual({
      product: { faults: [], notices: [open, unchecked] },
      script: { status: 0, stdout: expect.stringContaining(`notice: ${unchecked}\n`) },
    });
  });

  const ofJob = (lines: Line[], version: number): Line =>
    lines.find((line) => line.streamId === jobId && line.version === version) ?? (lines[0] as Line);
  it.each<[string, (folder: string) => void, string]>([
    ['a fact', onLines(FILES.events, (lines) => void (ofJob(lines, 3).facts.attempt = 2)), 'version 3 hash: is not that of this event'],
    [
      'an actor, with the chain made right',
      onLines(FILES.events, (lines) => {
        ofJob(lines, 3).meta.actor = 'key:another';
        rechain(lines, jobId);
      }),
      'version 3 proof: does not lead to the root',
    ],
    [
      'an event removed',
      onLines(FILES.events, (lines) => lines.filter((line) => line !== ofJob(lines, 3))),
      'version 3 version: event 3 is missing',
    ],
    ['a place in the log', onLines(FILES.events, (lines) => void (ofJob(lines, 3).index += 1)), 'version 3 proof: does not lead'],
    ['a job removed', onLines(FILES.events, (lines) => lines.filter(({ streamId }) => streamId !== jobId)), 'is missing'],
    ['a file cut', (folder) => truncateSync(join(folder, FILES.events), 5_000), 'has no end: the file was cut'],
    ['a file removed', (folder) => rmSync(join(folder, FILES.events)), `${FILES.events}: is missing`],
    ['what is no JSON', (folder) => appendFileSync(join(folder, FILES.events), '[[[\n'), 'is not JSON'],
    ['a huge line', (folder) => writeFileSync(join(folder, FILES.events), 'a'.repeat(20_000_000)), 'line 1: is too long'],
    [
      'a job removed from a bundle that passes for one of another job',
      (folder) => {
        onLines(FILES.events, (lines) => lines.filter(({ streamId }) => streamId !== jobId))(folder);
        const head = readFileSync(join(folder, FILES.head), 'utf8');
        writeFileSync(join(folder, FILES.head), head.replace('"job": null', '"job": "job_of_nobody"'));
      },
      'scope: is neither the job nor the thread that bundle.json says is all',
    ],
    ...(
      [
        ['thread', 'thr_of_nobody', 'scope: is neither the thread that bundle.json says is all nor a job of it'],
        ['tenant', 'another', 'scope: is of another tenant than bundle.json says'],
        ['since', '2100-01-01T00:00:00.000Z', 'scope: nothing has come to it since'],
      ] as const
    ).map(([name, value, told]): [string, (folder: string) => void, string] => [
      `the ${name} that it is of`,
      (folder) => {
        const head = JSON.parse(readFileSync(join(folder, FILES.head), 'utf8')) as { scope: object };
        writeFileSync(join(folder, FILES.head), JSON.stringify({ ...head, scope: { ...head.scope, [name]: value } }) + '\n');
      },
      told,
    ]),
    [
      'a receipt',
      onLines(FILES.deletions, ([line]) => void Object.assign(line ?? {}, { note: String(line?.note).replace('role:test', 'role:tess') })),
      'deletions.jsonl line 1: has a signature that is not of the key',
    ],
    [
      'a signed receipt of what is no thread',
      onLines(FILES.deletions, ([line]) => {
        const { text } = parseNote(String(line?.note));
        const note = signedNote(text.replace(/"threadId":"[^"]*"/, '"threadId":7'), [
          signerKey('audit.example.org/log', Buffer.alloc(32, 7)),
        ]);
        Object.assign(line ?? {}, { note, threadId: 7 });
      }),
      'deletions.jsonl line 1: has a threadId that is no text',
    ],
    ['the streams of a receipt', onLines(FILES.deletions, ([line]) => void (line?.streams as object[]).pop()), 'lists other streams'],
    [
      'a receipt twice',
      onLines(FILES.deletions, (lines) => [...lines, ...lines]),
      'deletions.jsonl line 2: comes twice, or not in the order of ids',
    ],
    ['a consistency proof', onLines(FILES.consistency, ([line]) => void line?.proof.reverse()), 'does not prove that the log goes on'],
  ])('names what somebody changed: %s', (_, change, told) => {
    expect(python([SCRIPT, bundles.changed(whole, change)])).toEqual({ status: 1, stdout: expect.stringContaining(told), stderr: '' });
  });

  /** The exit code of `research verify FOLDER`. */
  const ofProduct = (folder: string): Promise<number> =>
    verifyBundle(folder, [], [], () => undefined).then(
      ({ faults }) => (faults.length > 0 ? 1 : 0),
      () => 2,
    );
  const inHead = (from: RegExp, to: string) => (folder: string) => {
    const head = readFileSync(join(folder, FILES.head), 'utf8');
    expect(head).toMatch(from);
    writeFileSync(
      join(folder, FILES.head),
      head.replace(from, () => to),
    );
  };
  const counted = (count: string) => inHead(/"events": \d+/, `"events": ${count}`);
  const since = (text: string) => inHead(/"since": "[^"]*"/, `"since": ${text}`);
  const inLine = (from: RegExp, to: string) => (folder: string) => {
    const lines = readFileSync(join(folder, FILES.events), 'utf8');
    expect(lines).toMatch(from);
    writeFileSync(
      join(folder, FILES.events),
      lines.replace(from, () => to),
    );
  };
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  it.each<[string, (folder: string) => void, number]>([
    ...[
      '1e400',
      '-1e400',
      'NaN',
      'Infinity',
      '-Infinity',
      '1.5',
      '-1',
      'true',
      'null',
      '"7"',
      '[]',
      '9007199254740992',
      '9'.repeat(5_000),
    ].map((count): [string, (folder: string) => void, number] => [`a count of ${count.slice(0, 20)}`, counted(count), 2]),
    ['another count', counted('7'), 1],
    [
      'the same count written otherwise',
      (folder) => counted(`${readFileSync(join(folder, FILES.head), 'utf8').match(/"events": (\d+)/)?.[1]}.0`)(folder),
      0,
    ],
    ['a count twice, the last of them right', inHead(/"events":/, '"events": 7, "events":'), 0],
    ['a size that is none', inHead(/"size": \d+/, '"size": 1e400'), 2],
    ['an origin that is no text', inHead(/"origin": "[^"]*"/, '"origin": 7'), 2],
    ['a tenant of half a character', inHead(/"tenant": null/, '"tenant": "\\ud800"'), 1],
    ['a job of half a character', inHead(/"job": null/, '"job": "\\ud800"'), 1],
    ['a format of half a character', inHead(/"format": "[^"]*"/, '"format": "\\ud800"'), 2],
    ['a head that is a list', (folder) => writeFileSync(join(folder, FILES.head), '[]\n'), 2],
    ['a head that is null', (folder) => writeFileSync(join(folder, FILES.head), 'null\n'), 2],
    ['a mark of byte order', inHead(/^/, '\ufeff'), 2],
    ['brackets in a text', inHead(/"format":/, `"more": "${'['.repeat(1_000)}\\"", "format":`), 0],
    ...[65, 500, 5_000, 100_000].map((depth): [string, (folder: string) => void, number] => [
      `${depth} brackets within each other`,
      inHead(/"format":/, `"more": ${nested(depth)}, "format":`),
      2,
    ]),
    ...[
      '"2026"',
      '"Nov 1 2026"',
      '"2026-11-01T00:00:00Z"',
      '"2026-11-01T00:00:00.000+01:00"',
      '"2026-13-01T00:00:00.000Z"',
      '"2026-02-30T00:00:00.000Z"',
      '"2026-11-01T24:00:00.000Z"',
      '"2026-11-01T00:00:60.000Z"',
      '"\u0662026-11-01T00:00:00.000Z"',
      '7',
    ].map((text): [string, (folder: string) => void, number] => [`a since of ${text}`, since(text), 2]),
    ['a number in an event that is none', inLine(/"index":\d+/, '"index":1e400'), 1],
    ['a member of an event twice', inLine(/"index":/, '"index":7,"index":'), 1],
    ['half a character in an event', inLine(/"actor":"[^"]*"/, '"actor":"\\ud800"'), 1],
    ['brackets in an event', inLine(/"facts":\{/, `"facts":{"a":${nested(100_000)},`), 1],
  ])('ends as `research verify` does: %s', async (_, change, code) => {
    const folder = bundles.changed(whole, change);
    const { status, stderr } = python([SCRIPT, folder]);
    expect({ product: await ofProduct(folder), script: status }).toEqual({ product: code, script: code });
    expect(stderr).not.toContain('Traceback');
  });

  it('believes no key for a signature that somebody put under a genuine checkpoint', () => {
    const seed = Buffer.alloc(32, 8);
    const forged = bundles.changed(whole, (folder) => forgeByCosigning(folder, seed));
    const key = ['--key', textOfKey(verifierKey)];
    for (const options of [key, ['--against', kept]])
      expect(python([SCRIPT, forged, ...options])).toMatchObject({
        status: 1,
        stdout: expect.stringContaining('checkpoint: is signed by no key that the auditor believes'),
      });
    const both = [...key, '--key', textOfKey(signerKey(verifierKey.name, seed))];
    expect(python([SCRIPT, forged, ...both])).toMatchObject({ status: 0 });
  });

  it.each<[string, (text: Buffer) => Buffer, string]>([
    ['has another byte', (text) => Buffer.from(text.toString().replace('{', 'z')), 'bundle.json: is not what SHA256SUMS says'],
    ['is no UTF-8', (text) => Buffer.concat([Buffer.of(0xff), text]), 'bundle.json line 1: is not UTF-8'],
  ])('finds that the head %s', (_, change, told) => {
    const changed = bundles.changed(whole, () => undefined);
    writeFileSync(join(changed, FILES.head), change(readFileSync(join(changed, FILES.head))));
    expect(python([SCRIPT, changed])).toEqual({ status: 1, stdout: `${told}\n`, stderr: '' });
  });

  it('says that nobody vouches for the keys where none is named', () => {
    const remark = 'Who signed was not checked: the keys are those of the bundle. Name the key of the log with --key.';
    expect(python([SCRIPT, whole]).stdout).toContain(remark);
    for (const options of [
      ['--key', textOfKey(verifierKey)],
      ['--against', kept],
    ])
      expect(python([SCRIPT, whole, ...options]).stdout).not.toContain('Who signed');
  });

  it('believes nobody but whom it is told to, and says when it cannot look', () => {
    const stranger = textOfKey(signerKey('audit.example.org/log', Buffer.alloc(32, 8)));
    expect(python([SCRIPT, whole, '--key', stranger])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('no key that the auditor believes'),
    });
    expect(python([SCRIPT, bundles.folder()])).toMatchObject({ status: 2, stderr: expect.stringContaining('no bundle.json') });
    expect(python([SCRIPT, whole, '--key', 'nothing'])).toMatchObject({ status: 2, stderr: expect.stringContaining('no verifier key') });
    expect(python([SCRIPT, whole, '--against', SCRIPT])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`--against ${SCRIPT} has a line that is no signature`),
    });
    expect(python([SCRIPT])).toMatchObject({ status: 2 });
  });

  it('verifies the signatures of RFC 8032, section 7.1, and no others', () => {
    const [first = ['', '', ''], ...others] = ED25519;
    const wrong = [
      [first[0], '00', first[2]],
      [first[0], first[1], first[2].replace('e', 'f')],
      [others[0]?.[0], first[1], first[2]],
      // s plus the order of the group: the same point, another signature.
      [first[0], first[1], first[2].slice(0, 64) + plusOrder(first[2].slice(64))],
    ];
    const check = 'verify.ed25519_verify(*map(bytes.fromhex, given))';
    expect(evaluated(check, [...ED25519, ...wrong])).toEqual([true, true, true, false, false, false, false]);
  });

  it('writes JSON as RFC 8785 does', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ noUnicodeString: false }), { minLength: 20, maxLength: 40 }), (values) => {
        const numbers = values.filter((value) => canonicalize(value)?.isWellFormed());
        expect(evaluated('verify.canonical(given)', numbers)).toEqual(numbers.map((value) => canonicalize(value)));
      }),
      { numRuns: 5 },
    );
    const numbers = [0, -0, 1e21, 1e20, 123456789012345680000, 1e-7, 1e-6, 5e-324, 1.7976931348623157e308, 1e23, 0.1, -1.5e-9, 2 ** 53];
    expect(evaluated('verify.canonical(given)', numbers)).toEqual(numbers.map((value) => canonicalize(value)));
  });
});

/** Public key, message, signature. */
const ED25519: [string, string, string][] = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
];

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** A number in 32 bytes, the smallest first, as signatures have it. */
function plusOrder(hex: string): string {
  const scalar = BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`) + ORDER;
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
}
