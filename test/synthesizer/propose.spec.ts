import { pino } from 'pino';
import type { LanguageModel } from '@lib/providers/language-model/language-model';
import { ProviderError } from '@lib/providers/research-provider';
import { propose } from '../../src/synthesizer/propose';
import { runHere } from '../support/run-task';
import { reported } from '../synthesis/steps';

const SECRET = 'What did the minister pay for?';
const INPUT = {
  ...{ query: SECRET, mode: 'fast' as const, tier: 'S' as const },
  steps: [reported('provider-a', 'The minister paid for the bridge.', []), reported('provider-b', 'The minister paid for the road.', [])],
};
const CHARGE = { micros: 70, provenance: 'computed' as const };

/** What comes of it and what is logged where the model does this. */
async function proposedBy(write: LanguageModel['write']) {
  const logged: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  const limits = { reservedMicros: 1_000, milliseconds: 60_000, signal: new AbortController().signal };
  return { proposals: await propose({ write }, INPUT, runHere, limits, logger), logged: logged.join('') };
}

it.each([
  [
    'refuses in the words that it was asked in',
    new ProviderError('content_filtered', `The provider said: ${SECRET}`, { charge: CHARGE }),
    70,
  ],
  ['breaks with words of its own', new Error(SECRET), 500],
])('a model that %s costs what it said or its share, and nothing of that is logged', async (_, error, spentMicros) => {
  const { proposals, logged } = await proposedBy(() => Promise.reject(error));
  expect(proposals).toMatchObject({ accepted: null, spentMicros });
  expect(logged).toContain('proposals_failed');
  expect(logged).not.toContain('minister');
});

it('an answer that is none is paid for, and nothing of it is logged', async () => {
  const { proposals, logged } = await proposedBy(async () => ({ text: SECRET, isCutOff: false, charge: CHARGE }));
  expect(proposals).toEqual({ accepted: null, charge: CHARGE, spentMicros: 70 });
  expect(logged).toContain('proposals_unreadable');
  expect(logged).not.toContain('minister');
});
