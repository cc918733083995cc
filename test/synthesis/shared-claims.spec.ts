import { synthesize } from '@lib/synthesis/synthesize';
import type { ProviderId } from '@lib/domain/vocabulary';
import { reported } from './steps';

const PROVIDERS: readonly ProviderId[] = ['provider-a', 'provider-b', 'provider-c'];

/** What two or more of the reports say. */
function sharedBy(...reports: string[]): string[] {
  const steps = reports.map((report, at) => reported(PROVIDERS[at] ?? 'provider-a', report, [`https://${String(at)}.example/1`]));
  const { claims } = synthesize({ query: 'Who is Lena Brandt?', mode: 'fast', tier: 'L', steps });
  return claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
}

describe('a claim of several reports', () => {
  it.each([
    [
      'began a career',
      'Lena Brandt began her political career in 1999 in the city of Ulm [1].',
      'Lena Brandt began her political career with a speech on trade [1].',
    ],
    ['began acting', 'Lena Brandt began acting when the family moved to Ulm [1].', 'Lena Brandt began acting after a course in Graz [1].'],
    [
      'appeared in several films',
      'Lena Brandt appeared in several films [1].',
      'After appearing in several films for children, Lena Brandt appeared in several plays [1].',
    ],
    [
      'who did something',
      'Lena Brandt, who led the study, praised the result in Ulm [1].',
      'Lena Brandt, who led the study, left the institute of Graz [1].',
    ],
    [
      'founded by',
      'Quill Systems, founded by Lena Brandt in 2020, maintains the tool [1].',
      'Quill Systems, founded by Lena Brandt in 2020, sells a service [1].',
    ],
  ])('is not that somebody %s', (_, one, other) => {
    expect(sharedBy(one, other).filter((claim) => claim.split(' ').length < 9)).toEqual([]);
  });

  it('ends with a stop where it is the part of a sentence', () => {
    const shared = sharedBy(
      'Lena Brandt was born in Ulm, a city on the Danube [1].',
      'Lena Brandt was born in Ulm and raised by her aunt in Graz [1].',
    );
    expect(shared).toEqual(['Lena Brandt was born in Ulm.']);
  });

  it.each([
    [
      'her powerful',
      'Lena Brandt is known for her powerful and soulful songs [1].',
      'Lena Brandt is known for her powerful and clear speeches [1].',
    ],
    [
      'in those',
      'The pressure was 3.3 mmHg lower in those who used salt [1].',
      'The pressure was 3.3 mmHg lower in those with the other salt [1].',
    ],
    ['Two of them', 'Two of them were golden eagles from the north [1].', 'Two of them were golden eagles from the north [1].'],
  ])('does not end or begin with “%s”', (words, one, other) => {
    expect(sharedBy(one, other).filter((claim) => claim.startsWith(words) || claim.endsWith(`${words}.`))).toEqual([]);
  });

  it('is no row of a table', () => {
    const table = '| Outcome | Change |\n| --- | --- |\n| Monthly migraine days of patients | 4.8 and 2.9 [1] |';
    const shared = sharedBy(table, 'The monthly migraine days of patients changed by 4.8 and 2.9 [1].');
    expect(shared.filter((claim) => claim.includes('|'))).toEqual([]);
  });

  it('is not contained in another of the same reports', () => {
    const shared = sharedBy(
      'She was born on May 4, 1996 in Ulm [1]. Lena Brandt was born in Ulm in Germany [1].',
      'Lena Brandt was born on May 4, 1996 in Ulm, Germany [1].',
    );
    for (const one of shared) for (const other of shared) if (one !== other) expect(other).not.toContain(one.replace(/\.$/, ''));
    expect(shared).toContain('[Lena Brandt] was born on May 4, 1996 in Ulm.');
  });
});
