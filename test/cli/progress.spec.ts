import type { EventView } from '@lib/store/views/event.view';
import { showProgress } from '../../src/cli/progress';

const UNTAKEN_MS = 200;
const PLAN = ['a', 'b'].map((name) => ({ stepId: `step_${name}`, provider: `provider-${name}` }));

const event = (type: string, facts: object): EventView => ({ type, facts }) as EventView;
const started = (stepId: string): EventView => event('StepStarted', { stepId });
const completed = (stepId: string): EventView => event('StepCompleted', { stepId });

/** Whom a worker is missed for in a job with these events, after which it is quiet for too long before it ends. */
async function missedFor(mode: string, ...events: EventView[]): Promise<string[]> {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  async function* quietAtLast(): AsyncGenerator<EventView> {
    yield event('JobRequested', { plan: PLAN, mode });
    yield* events;
    await new Promise((wake) => setTimeout(wake, 3 * UNTAKEN_MS));
    yield event('JobCompleted', {});
  }
  try {
    await showProgress(quietAtLast(), UNTAKEN_MS);
    const text = written.mock.calls.map(([part]) => String(part)).join('');
    return [...text.matchAll(/no worker has taken (\S+) yet/g)].map(([, provider = '']) => provider);
  } finally {
    written.mockRestore();
  }
}

it('a provider that no worker takes is named, and none that is at work', async () => {
  expect(await missedFor('fast')).toEqual(['provider-a', 'provider-b']);
  expect(await missedFor('fast', started('step_a'))).toEqual(['provider-b']);
  expect(await missedFor('fast', started('step_a'), completed('step_a'), started('step_b'))).toEqual([]);
});

it('a worker for a provider of a methodical job is missed only once the provider before it has ended', async () => {
  expect(await missedFor('methodical')).toEqual(['provider-a']);
  expect(await missedFor('methodical', started('step_a'))).toEqual([]);
  expect(await missedFor('methodical', started('step_a'), completed('step_a'))).toEqual(['provider-b']);
});
