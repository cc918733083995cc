import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { synthesize, SYNTHESIZER_VERSION } from '@lib/synthesis/synthesize';
import { jobOf } from '../../bench/claims/job';

/** What each version of the synthesizer makes of the reports in bench/sentences/reports. */
const RECORDED = join(__dirname, 'versions.json');
const REPORTS = resolve(__dirname, '../../bench/sentences/reports');
/** Reports that are added later change no digest that is recorded. */
const RECORDED_REPORTS = /-[12]\.txt$/;

type Recorded = Record<string, string>;

/** What a version made is never recorded anew: jobs that name it have those bytes. */
const TO_DO =
  'raise SYNTHESIZER_VERSION in libs/synthesis/synthesize.ts if the recorded version made other bytes, then: RECORD=1 npm run jest -- test/synthesis/version.spec.ts';

function digestOfSyntheses(): string {
  const digest = createHash('sha256');
  for (const file of readdirSync(REPORTS)
    .filter((name) => RECORDED_REPORTS.test(name))
    .toSorted()) {
    const [question = '', ...reports] = readFileSync(join(REPORTS, file), 'utf8').split(/^=====\n/m);
    const answers = reports.map((output, place) => ({ system: `report${String(place + 1)}`, output, sentences: null }));
    const job = jobOf({ name: file, question: question.trim(), answers });
    for (const tier of ['XXS', 'XL'] as const) digest.update(JSON.stringify(synthesize({ ...job, tier })));
  }
  return digest.digest('hex');
}

it('names the bytes that it makes: whoever changes them raises it', () => {
  const recorded = (existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, 'utf8')) : {}) as Recorded;
  const made = digestOfSyntheses();
  const known = recorded[SYNTHESIZER_VERSION] ?? (process.env.RECORD ? made : 'nothing is recorded of this version');
  if (process.env.RECORD) writeFileSync(RECORDED, `${JSON.stringify({ ...recorded, [SYNTHESIZER_VERSION]: known }, null, 2)}\n`);
  expect({ version: SYNTHESIZER_VERSION, bytes: made, toDo: known === made ? null : TO_DO }).toEqual({
    version: SYNTHESIZER_VERSION,
    bytes: known,
    toDo: null,
  });
});
