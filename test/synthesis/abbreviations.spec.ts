import { PROVIDERS } from '@lib/domain/vocabulary';
import { synthesize } from '@lib/synthesis/synthesize';
import { expectVerbatim, reported } from './steps';

function claimsOf(query: string, ...reports: string[]): (readonly [string, number, number])[] {
  const steps = reports.map((report, at) => reported(at === 0 ? 'provider-a' : 'provider-b', report, [`https://${String(at)}.example/1`]));
  const synthesis = synthesize({ query, mode: 'fast', tier: 'L', steps });
  expectVerbatim(synthesis, steps);
  return synthesis.claims.map(({ claim, supporting, contradicting }) => [claim, supporting.length, contradicting.length] as const);
}

const shared = (claims: readonly (readonly [string, number, number])[]): number =>
  claims.filter(([, supporting]) => supporting === 2).length;

describe('a short form', () => {
  const question = 'How common is sleep apnea?';
  const long = 'Obstructive sleep apnea affects about 5 percent of children [1].';

  it.each([
    ['behind the long one', 'Obstructive sleep apnea (OSA) is a disorder [1]. OSA affects about 5 percent of children [1].'],
    ['before it', 'OSA (obstructive sleep apnea) is a disorder [1]. OSA affects about 5 percent of children [1].'],
    ['in the sentence itself', 'Obstructive sleep apnea (OSA) affects about 5 percent of children [1].'],
    [
      'nowhere, where one thing alone has its letters',
      'OSA affects about 5 percent of children [1]. Many treat obstructive sleep apnea in Ulm [1].',
    ],
  ])('says what the long one says: explained %s', (_, report) => {
    expect(shared(claimsOf(question, long, report))).toBe(1);
  });

  it('is disputed as the long one is', () => {
    const claims = claimsOf(
      question,
      long,
      'OSA affects about 15 percent of children [1]. Obstructive sleep apnea (OSA) is a disorder [1].',
    );
    expect(claims.filter(([, , contradicting]) => contradicting === 1)).toHaveLength(2);
  });

  it.each([
    [
      'two things',
      'The American Medical Association (AMA) has 270,000 members [1].',
      'The Automobile Makers Alliance (AMA) met in Ulm in 1950 [1]. AMA has 270,000 members [1].',
    ],
    [
      'other words that begin with its letters',
      'Open source alternatives affect 5 percent of users [1].',
      'OSA affects 5 percent of users [1]. Many know obstructive sleep apnea (OSA) [1].',
    ],
  ])('is not taken for %s', (_, one, other) => {
    expect(shared(claimsOf('Which is known?', one, other))).toBe(0);
  });

  it('names the thing of a heading', () => {
    const one = '## James Webb Space Telescope\n\nIts mirror is 6.5 meters across and made of 18 segments [1].';
    const other = '## JWST\n\nIts mirror is 6.5 meters across and made of 18 segments [1].';
    expect(shared(claimsOf('Which telescopes are there?', one, other))).toBe(1);
    expect(shared(claimsOf('Which telescopes are there?', one, other.replace('JWST', 'HST')))).toBe(0);
  });

  it.each([
    ['has small words', 'CDPH', 'California Department of Public Health', 1],
    ['has a hyphen', 'HEDT', 'High-End Desktop Terminal', 1],
    ['has a hyphen for a space behind a small word', 'CDPH', 'California Department of-Public Health', 0],
    ['begins behind a hyphen', 'HEDT', 'Non-High End Desktop Terminal', 0],
  ])('is explained by no more than a name that begins with its letters: one that %s', (_, short, name, expected) => {
    const told = `The ${name} opened a laboratory in Ulm in 1998 [1].`;
    const claims = claimsOf('Who opened the laboratory?', told, `The ${short} opened a laboratory in Ulm in 1998 [1].`);
    expect(shared(claims)).toBe(expected);
  });

  it('of the question is the long form of a report', () => {
    const [claim] = claimsOf('How common is OSA?', long, 'Obstructive sleep apnea (OSA) affects about 5 percent of children [1].');
    expect(claim?.[1]).toBe(2);
  });

  it('means the same whatever the order of the reports', () => {
    const codes = 'The codes are AQX BQX CQX DQX EQX FQX GQX HQX IQX JQX KQX LQX MQX NQX OQX PQX QQX RQX SQX TQX UQX [1].';
    const reports = [codes, long, 'OSA affects about 5 percent of children [1].'];
    const claims = (order: readonly number[]): unknown =>
      synthesize({
        ...{ query: question, mode: 'fast', tier: 'L' },
        steps: order.map((at) => reported(PROVIDERS[at] ?? 'provider-a', reports[at] ?? '', [`https://${String(at)}.example/1`])),
      }).claims;
    expect(claims([2, 0, 1])).toEqual(claims([0, 1, 2]));
  });

  it.each([
    ['brackets without words', '(OSA) (OSA) ((OSA)) OSA ('],
    [
      'very many short forms',
      Array.from({ length: 3_000 }, (_, at) => `A${String.fromCharCode(65 + (at % 26))}${String.fromCharCode(65 + ((at / 26) % 26))}`).join(
        ' ',
      ),
    ],
    ['one very long word', `OSA ${'a'.repeat(200_000)}`],
  ])('loses nothing to %s', (_, hostile) => {
    expect(claimsOf(question, `${hostile}.\n\n${long}`).some(([claim]) => claim.startsWith('Obstructive sleep apnea affects'))).toBe(true);
  });
});
