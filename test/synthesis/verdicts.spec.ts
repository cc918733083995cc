import type { ProviderId } from '@lib/domain/vocabulary';
import { synthesize } from '@lib/synthesis/synthesize';
import { reported, sectionOf } from './steps';

const PROVIDERS: readonly ProviderId[] = ['provider-a', 'provider-b', 'provider-c'];
const FACTS = 'The Tolm weighs 250 g. The Tolm has a steel hinge. Its case is made in Ulm. Boats of Kelm use the Tolm at night.';

/** The points of the answer, without who says them. */
function answerTo(query: string, ...reports: string[]): string[] {
  const steps = reports.map((report, at) => reported(PROVIDERS[at] ?? 'provider-d', report, []));
  const { markdown } = synthesize({ query, mode: 'fast', tier: 'M', steps });
  return sectionOf(markdown, 'Answer')
    .split('\n')
    .flatMap((line) => /^\d+\. (.*) \(/.exec(line)?.[1] ?? []);
}

describe('what each provider answers', () => {
  const QUESTION = 'Should I buy the Tolm or the Arven?';

  it.each([
    ['**Short answer:** Take the one with the hinge.', 'Take the one with the hinge.'],
    ['## Bottom line\n\nTake the one with the hinge.', 'Take the one with the hinge.'],
    ['## TL;DR\n\nTake the one with the hinge.', 'Take the one with the hinge.'],
    ['## Recommendation\n\nTake the one with the hinge.', 'Take the one with the hinge.'],
    ['**My pick:** the Arven is better made.', 'My pick: the Arven is better made.'],
    ['## Verdict\n\nGood for a boat, not for a car.', '[Verdict:] Good for a boat, not for a car.'],
    [
      '**Verdict**\n- Yes: change to the Arven, and start in spring.\n- The Tolm is sold until June.',
      'Yes: change to the Arven, and start in spring.',
    ],
    ['**Quick take:** Yes, with limits.', '[Quick take:] Yes, with limits.'],
  ])('stands first in the answer, wherever its report says it: %s', (verdict, claim) => {
    const [first, ...others] = answerTo(QUESTION, `${FACTS}\n\n${verdict}`, FACTS);
    expect(first).toBe(claim);
    expect(others.length).toBeGreaterThan(0);
  });

  it.each([
    ['Yes, with caveats. ', '[Should I buy the Tolm or the Arven?] Yes, with caveats.'],
    ['# The Tolm\n\nNo. ', '[The Tolm: Should I buy the Tolm or the Arven?] No.'],
    ['Yes, for most boats, but the hinge rusts. ', 'Yes, for most boats, but the hinge rusts.'],
  ])('is what its report says first: %s', (verdict, claim) => {
    const [first, ...others] = answerTo(QUESTION, `${verdict}${FACTS}`, FACTS);
    expect(first).toBe(claim);
    expect(others.length).toBeGreaterThan(0);
  });

  it.each(['In short: Probably yes.', '## Summary\n\nProbably yes.'])(
    'is what its report says in short, wherever that stands: %s',
    (verdict) => {
      expect(answerTo(QUESTION, `${FACTS}\n\n${verdict}`, FACTS)[0]).toMatch(/Should I buy the Tolm or the Arven\?:?\] Probably yes\.$/);
    },
  );

  it.each([
    ['it does not stand first', QUESTION, `${FACTS} Yes, with caveats.`],
    ['nothing was asked that it answers', 'What does the Tolm weigh?', `Yes, with caveats. ${FACTS}`],
  ])('is no “yes” where %s', (_, query, report) => {
    expect(answerTo(query, report, FACTS).join('\n')).not.toContain('with caveats');
  });

  it('stands there of every provider, whatever the others say', () => {
    const verdicts = ['Take the Tolm for its hinge.', 'Wait for the models of next spring.', 'Yes, the Arven is worth it for boats.'];
    const answer = answerTo(QUESTION, ...verdicts.map((verdict) => `${FACTS}\n\n## Verdict\n\n${verdict}`));
    expect(answer.slice(0, 3).toSorted()).toEqual(verdicts.toSorted());
  });

  it('is recorded however much else its report tells', () => {
    const filler = Array.from(
      { length: 110 },
      (_, at) => `The ${String.fromCodePoint(97 + (at % 26))}${String(at)}lm costs ${String(at + 12)} euros.`,
    );
    const [first] = answerTo(QUESTION, `${filler.join(' ')}\n\n## Verdict\n\nGood for a boat.`, 'Kelm is an old town.');
    expect(first).toBe('[Verdict:] Good for a boat.');
  });

  it('is all of a short answer, up to three sentences, as its report says them', () => {
    const answer = answerTo(
      QUESTION,
      `**Short answer:** Take the Tolm on boats. On land the Arven lasts longer. Neither suits a car. Both rust in time.\n\n${FACTS}`,
      FACTS,
    );
    expect(answer.slice(0, 3)).toEqual(['Take the Tolm on boats.', 'On land the Arven lasts longer.', 'Neither suits a car.']);
    expect(answer).not.toContain('Both rust in time.');
  });

  it('leaves room for two other points', () => {
    const short = [
      '**Short answer:** Take the Tolm on boats. The hinge never rusts. Nobody repairs the case.',
      '**Short answer:** The Arven suits a car. The seat folds flat. Ten shops sell it.',
      '**Short answer:** Wait until spring. Prices will halve. A new model is planned.',
    ];
    const answer = answerTo(QUESTION, ...short.map((each) => `${each}\n\n${FACTS}`));
    expect(answer).toHaveLength(7);
    for (const each of ['Take the Tolm', 'The Arven suits', 'Wait until', 'never rusts', 'folds flat'])
      expect(answer.join('\n')).toContain(each);
    expect(answer.slice(5).every((point) => FACTS.includes(point))).toBe(true);
  });

  it('is nothing that only says in brief what follows', () => {
    expect(answerTo(QUESTION, `${FACTS}\n\n## Terms in brief\n\nSix months, no fee.`, FACTS).join()).not.toContain('Six months');
  });

  it('stands there once where two say it', () => {
    const verdict = '## Verdict\n\nTake the Tolm for its hinge.';
    const answer = answerTo(QUESTION, `${FACTS}\n\n${verdict}`, `Boats are old.\n\n${verdict}`);
    expect(answer.filter((point) => point.includes('for its hinge'))).toHaveLength(1);
  });

  it('is that of another on the same point, which it stands below', () => {
    const reports = [
      'A coated hinge makes the Tolm the better choice on boats.',
      'On boats choose the Tolm because of the coated hinge.',
    ].map((verdict) => `## Verdict\n\n${verdict}`);
    const answer = answerTo('Should I buy the Tolm?', `${FACTS}\n\n${reports[0] ?? ''}`, `The Tolm is sold in May.\n\n${reports[1] ?? ''}`);
    expect(answer[0]).toContain('coated');
    expect(answer[1]).not.toContain('in May');
  });

  it('is what its report advises only where advice is asked', () => {
    const report = `The Tolm of Kelm changed in 2020. ${FACTS}\n\n## Recommendation\n\nServe the notice before April.`;
    expect(answerTo('What changed for the Tolm of Kelm?', report)[0]).toBe('The Tolm of Kelm changed in 2020.');
    expect(answerTo('Is the Tolm of Kelm worth it?', report)[0]).toBe('Serve the notice before April.');
  });

  it('is else what its report begins with, if that has to do with the question', () => {
    const late = `${'Boats of all kinds lie in the harbour and wait for the summer. '.repeat(6)}The Arven sank with the Tolm.`;
    const answer = answerTo('What happened to the Tolm and the Arven?', 'The Tolm burned with the Arven in 1931. Gulls cry.', late);
    expect(answer[0]).toBe('The Tolm burned with the Arven in 1931.');
    expect(answer.some((point) => point.startsWith('Boats of all kinds'))).toBe(false);
  });
});
