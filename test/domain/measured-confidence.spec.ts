import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEASURED_CONFIDENCE } from '@lib/domain/measured-confidence';
import { CONFIDENCES } from '@lib/domain/vocabulary';

it('is what docs/confidence.md reports of the half that counts', () => {
  const page = readFileSync(join(__dirname, '../../docs/confidence.md'), 'utf8');
  const [, measured = ''] = page.split('The half that counts');
  for (const level of CONFIDENCES) {
    const [, percent] = new RegExp(`^\\| ${level} \\|[^|]*\\|[^|]*\\| ([\\d.]+) % \\|`, 'm').exec(measured) ?? [];
    // The page has one decimal more, which was rounded itself: 274 of 287 are 95.5 % there.
    expect(Math.abs(Number(percent) - MEASURED_CONFIDENCE[level] * 100)).toBeLessThanOrEqual(0.5);
  }
});
