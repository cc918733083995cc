import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';

import type { PackedFile } from '@lib/providers/corpus/formats/packed-file';
import { NotADocument } from '@lib/providers/corpus/formats/passages';
import { ReaderProcess, ReaderEnded, type ReaderLimits } from '@lib/providers/corpus/formats/reader-process';

import { ask, indexOf } from './ask-corpus';
import { folderOf } from './corpus-folder';
import { docxOf, paragraph, xlsxOf } from './office-file';
import { pdfBomb, pdfOf } from './pdf-file';

const GOOD = pdfOf([[{ text: 'Wren rotates its log files at noon on the first day.' }]]);
const LIMITS: ReaderLimits = { timeMs: 60_000, memoryMb: 512 };
const LINE = `(${'wren '.repeat(20)})Tj`;
const LINES = Array.from({ length: 2_100 }, () => paragraph('wren '.repeat(1_600)));
const ROWS = Array.from({ length: 2_100 }, () => ['wren '.repeat(1_600), 'owl']);
const MOST_BLOCKED_MS = 2_000;

describe('a small PDF that inflates to hundreds of megabytes', () => {
  it('is skipped and told, blocks nothing, and the others are indexed', async () => {
    const folder = folderOf({
      'bomb.pdf': pdfBomb('s', 12),
      'good.pdf': GOOD,
      'spaces.pdf': pdfBomb(' ', 600),
    });
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const { index, logged } = await indexOf(folder);
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(MOST_BLOCKED_MS);
    expect(index.documents).toBe(1);
    const skipped = logged.filter(({ message }) => message === 'a document is skipped');
    expect(skipped).toEqual([
      { level: 'warn', path: 'bomb.pdf', reason: expect.stringContaining('a PDF without text'), message: 'a document is skipped' },
      {
        level: 'warn',
        path: 'spaces.pdf',
        reason: expect.stringMatching(/^reading it takes more than \d+ MB of memory$/),
        message: 'a document is skipped',
      },
    ]);
  });

  const endOf = (content: Buffer, reader: ReaderProcess, format: PackedFile['format'] = 'pdf'): Promise<unknown> =>
    reader.read({ format, content }).then(
      ({ chunks }) => chunks[0]?.text,
      (error: unknown) => error,
    );

  it('is another worker’s to read where nothing else is there: that one may have more memory or time', async () => {
    await expect(ask(folderOf({ 'spaces.pdf': pdfBomb(' ', 600) }))).rejects.toMatchObject({
      errorClass: 'not_called',
      message: expect.stringContaining('MB of memory (1 file)') as string,
    });
  });

  it.each<[string, Buffer, Partial<ReaderLimits>, Error]>([
    ['takes too long', pdfBomb('s', 60), { timeMs: 1_000 }, new ReaderEnded('reading it takes longer than 1 seconds')],
    ['fills the memory outside of the heap', pdfBomb(' ', 600), {}, new ReaderEnded('reading it takes more than 512 MB of memory')],
    [
      'fills the heap in one piece',
      pdfBomb('1 ', 120, { before: 'BT /F1 12 Tf [', after: '] TJ ET' }),
      {},
      new ReaderEnded('reading it takes more than 512 MB of memory'),
    ],
    [
      'has too much text',
      pdfBomb(`${LINE} 0 9 Td ${LINE} 0 -9 Td\n`, 22, { before: 'BT /F1 12 Tf\n', after: 'ET' }),
      { memoryMb: 3_000 },
      new NotADocument('it has more than 16000000 characters of text'),
    ],
  ])('is refused when it %s, and the next is read', async (_, pdf, limits, reason) => {
    const reader = new ReaderProcess({ ...LIMITS, ...limits });
    const [refused, next] = await Promise.all([endOf(pdf, reader), endOf(GOOD, reader)]);
    expect(refused).toEqual(reason);
    expect(refused).toBeInstanceOf(reason.constructor);
    expect(next).toContain('Wren rotates its log files at noon');
  });

  it.each<[PackedFile['format'], string, Buffer, Partial<ReaderLimits>, Error]>([
    [
      'docx',
      'takes too much memory',
      docxOf(' '.repeat(200_000_000)),
      { memoryMb: 256 },
      new ReaderEnded('reading it takes more than 256 MB of memory'),
    ],
    ['docx', 'has too much text', docxOf(...LINES), { memoryMb: 3_000 }, new NotADocument('it has more than 16000000 characters of text')],
    [
      'xlsx',
      'has too much text',
      xlsxOf({ a: ROWS }),
      { memoryMb: 3_000 },
      new NotADocument('it has more than 16000000 characters of text'),
    ],
    ['docx', 'takes too long', docxOf(...LINES), { timeMs: 300 }, new ReaderEnded('reading it takes longer than 0.3 seconds')],
  ])('is refused too if it is a %s that %s', async (format, _, content, limits, reason) => {
    const reader = new ReaderProcess({ ...LIMITS, ...limits });
    const [refused, next] = await Promise.all([endOf(content, reader, format), endOf(GOOD, new ReaderProcess(LIMITS))]);
    expect(refused).toEqual(reason);
    expect(refused).toBeInstanceOf(reason.constructor);
    expect(next).toContain('Wren rotates its log files at noon');
  });

  it('or whoever ends the process that read one is no fault of the next file', async () => {
    const reader = new ReaderProcess(LIMITS);
    const before = childrenOfThis();
    await endOf(GOOD, reader);
    const [child] = childrenOfThis().filter((pid) => !before.includes(pid));
    process.kill(child ?? Number.NaN, 'SIGKILL');
    expect(await endOf(GOOD, reader)).toContain('Wren rotates its log files at noon');
  });

  it('is no end of a process that has no file left to start another one', async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 60 && exec "$0" "$@"', process.execPath, '-e', READS, READER]);
    expect(JSON.parse(stdout)).toEqual({ name: 'NoReaderProcess', code: 'EMFILE' });
  });
});

const READER = resolve(__dirname, '../../dist/libs/providers/corpus/formats/reader-process.js');
/** Opens files until none is left, and then reads. A rejection that nobody handles ends it. */
const READS = `
  const { ReaderProcess } = require(process.argv[1]);
  const reader = new ReaderProcess();
  try { for (;;) require('node:fs').openSync('/dev/null'); } catch {}
  reader.read(Buffer.from('%PDF')).catch(({ name, cause }) => console.log(JSON.stringify({ name, code: cause.code })));`;

const childrenOfThis = (): number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .flatMap((pid) => (pid.trim() === '' ? [] : [Number(pid)]));
