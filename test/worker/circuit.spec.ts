import fc from 'fast-check';
import { pino } from 'pino';
import { ERROR_CLASSES, type ErrorClass } from '@lib/domain/vocabulary';
import { ProviderError } from '@lib/providers/research-provider';
import { Circuit } from '../../src/worker/circuit';

const FAILURES = 3;
const OPEN_MS = 10_000;
const DOWN: readonly ErrorClass[] = ['overloaded', 'unavailable', 'timeout'];
const ANSWERS = ERROR_CLASSES.filter((errorClass) => !DOWN.includes(errorClass));

let now = 0;
const realNow = Date.now;
beforeEach(() => {
  now = Date.UTC(2026, 10, 21);
  Date.now = () => now;
});
afterEach(() => {
  Date.now = realNow;
});

const newCircuit = () => new Circuit('provider-a', pino({ level: 'silent' }), { failures: FAILURES, openMs: OPEN_MS });

type Outcome = ErrorClass | 'report' | 'abort';

const fail = (outcome: Outcome) =>
  outcome === 'abort' ? new Error('the lease was lost') : new ProviderError(outcome as ErrorClass, 'No.');

/** Makes a call that ends so, and tells whether it was made. */
async function call(circuit: Circuit, outcome: Outcome): Promise<'called' | 'refused'> {
  let called = false;
  const ended = circuit.call(async () => {
    called = true;
    if (outcome !== 'report') throw fail(outcome);
  });
  const error = await ended.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error instanceof ProviderError && error.errorClass === 'circuit_open' && !called).toBe(!called);
  return called ? 'called' : 'refused';
}

async function opened(): Promise<Circuit> {
  const circuit = newCircuit();
  for (let failure = 1; failure <= FAILURES; failure += 1) await call(circuit, 'overloaded');
  return circuit;
}

/** A call that the test ends. */
function openCall(circuit: Circuit) {
  let succeed: () => void = () => undefined;
  let abort: () => void = () => undefined;
  const ended = circuit.call(
    () =>
      new Promise<void>((resolve, reject) => {
        succeed = resolve;
        abort = () => reject(fail('abort'));
      }),
  );
  return { succeed, abort, ended: ended.catch(() => undefined) };
}

it('opens after so many failures in a row, for so long, and lets one call through to see', async () => {
  const outcome = fc.constantFrom<Outcome>('report', 'abort', ...ERROR_CLASSES);
  const steps = fc.array(fc.record({ outcome, pauseMs: fc.constantFrom(0, 1, OPEN_MS - 1, OPEN_MS) }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, async (calls) => {
      const circuit = newCircuit();
      const expected = { inARow: 0, openUntil: 0, halfOpen: false };
      for (const { outcome, pauseMs } of calls) {
        now += pauseMs;
        const refused = now < expected.openUntil;
        expect(circuit.isOpen).toBe(refused);
        expect(await call(circuit, outcome)).toBe(refused ? 'refused' : 'called');
        if (refused) continue;
        const isDown = DOWN.some((errorClass) => errorClass === outcome);
        const isAnswer = !isDown && outcome !== 'abort';
        if (isAnswer) Object.assign(expected, { inARow: 0, halfOpen: false });
        else if (isDown || expected.halfOpen) expected.inARow += 1;
        if (!isAnswer && (expected.halfOpen || (isDown && expected.inARow >= FAILURES)))
          Object.assign(expected, { openUntil: now + OPEN_MS, halfOpen: true });
      }
    }),
  );
});

it.each(ANSWERS)('is never opened by %s', async (errorClass) => {
  const circuit = newCircuit();
  for (let failure = 1; failure <= 3 * FAILURES; failure += 1) expect(await call(circuit, errorClass)).toBe('called');
});

it('refuses in words that say why and until when, free of charge', async () => {
  const circuit = await opened();
  now += 2_500;
  await expect(circuit.call(async () => undefined)).rejects.toMatchObject({
    errorClass: 'circuit_open',
    message: 'provider unavailable: 3 failures in a row, last: overloaded; tried again in 8 s',
    details: { charge: { micros: 0 } },
  });
});

it('lets one call through after its time and refuses the others at once until that has ended', async () => {
  const circuit = await opened();
  now += OPEN_MS;
  const trial = openCall(circuit);
  expect(circuit.isOpen).toBe(true);
  await expect(circuit.call(async () => undefined)).rejects.toThrow(/last: overloaded; being tried again now/);
  trial.succeed();
  await trial.ended;
  expect(await call(circuit, 'report')).toBe('called');
});

it('stays open if that call is broken off: nobody has heard from the provider', async () => {
  const circuit = await opened();
  now += OPEN_MS;
  const trial = openCall(circuit);
  trial.abort();
  await trial.ended;
  expect(await call(circuit, 'report')).toBe('refused');
});
