import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { globSync } from 'tinyglobby';

import { readDocument } from '@lib/providers/corpus/formats/read-document';
import { INDEX_VERSION } from '@lib/providers/corpus/index/index-file';

import { docxOf, paragraph, table, xlsxOf } from './office-file';
import { pdfOf } from './pdf-file';

/** What the readers of each version of the index make of some documents. */
const RECORDED = join(__dirname, 'index-versions.json');
const DOCUMENTS = resolve(__dirname, '../../bench/questions/own-documents/tuning');
/** Collections that are added later change no digest that is recorded. */
const COLLECTIONS = '{bylaws,cli,engineering,handbook,insurance}/corpus/*';

const TO_DO =
  'raise INDEX_VERSION in libs/providers/corpus/index/index-file.ts if the recorded version was ever landed, so that kept indexes are read again; then: RECORD=1 npm run jest -- test/providers/corpus-index-version.spec.ts';

/** Made here, because the archives of other builds of zlib differ in their bytes. */
const PACKED: readonly [string, Buffer][] = [
  ['a.pdf', pdfOf([[{ text: 'Wren rotates its log files at noon.' }]])],
  ['a.docx', docxOf(paragraph('Rules', 'Title'), paragraph('Cranes', 'Heading1'), table(['Crane', 'Lift'], ['North', '20 t']))],
  [
    'a.xlsx',
    xlsxOf({
      Cranes: [
        ['Crane', 'Lift', 'Share'],
        ['North', 20.5, { number: 0.5, format: '0%' }],
      ],
    }),
  ],
];

async function digestOfPassages(): Promise<string> {
  const files = globSync(COLLECTIONS, { cwd: DOCUMENTS }).toSorted();
  const documents = [...files.map((file): [string, Buffer] => [file, readFileSync(join(DOCUMENTS, file))]), ...PACKED];
  const digest = createHash('sha256');
  for (const [path, content] of documents) digest.update(JSON.stringify(await readDocument(path, content)));
  return digest.digest('hex');
}

it('names what the readers make of documents: whoever changes that raises it', async () => {
  const recorded = (existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, 'utf8')) : {}) as Record<string, string>;
  const made = await digestOfPassages();
  const known = recorded[INDEX_VERSION] ?? (process.env.RECORD ? made : 'nothing is recorded of this version');
  if (process.env.RECORD) writeFileSync(RECORDED, `${JSON.stringify({ ...recorded, [INDEX_VERSION]: known }, null, 2)}\n`);
  expect({ version: INDEX_VERSION, passages: made, toDo: known === made ? null : TO_DO }).toEqual({
    version: INDEX_VERSION,
    passages: known,
    toDo: null,
  });
});
