import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEASURED_CONFIDENCE } from '@lib/domain/measured-confidence';
import { CONFIDENCES } from '@lib/domain/vocabulary';

it('is what docs/confidence.md reports of the half that counts', () => {
  const page = readFileSync(join(__dirname, '../../docs/confidence.md'), 'utf8');
  const [, measured = ''] = page.split('The half that counts');
  for (const level of CONFIDENCES) {
    const [, percent] = new RegExp(`^\\| ${level} \\|[^|]*\\|[^|]*\\| ([\\d.]+) % \\|`, 'm').exec(measured) ?? [];
    expect({ level, percent: Math.round(Number(percent)) }).toEqual({ level, percent: Math.round(MEASURED_CONFIDENCE[level] * 100) });
  }
});
