import { DOMAIN_ERROR_CODES, DomainError, InsufficientBalance, LimitReached } from '@lib/domain/errors';

it('carries its code, and says it where nothing better is known', () => {
  expect(new DomainError('conflict')).toMatchObject({ name: 'DomainError', code: 'conflict', detail: undefined, message: 'conflict' });
  const explained = new DomainError('budget_too_small', 'The budget XXS covers none; take XS.');
  expect(explained).toMatchObject({ code: 'budget_too_small', message: 'The budget XXS covers none; take XS.' });
  expect(explained).toBeInstanceOf(Error);
});

it('has stable codes in snake_case', () => {
  for (const code of DOMAIN_ERROR_CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

it('of a balance says how much there is, how much it takes, and what helps', () => {
  const refused = new InsufficientBalance(40, 100);
  expect(refused).toMatchObject({ code: 'insufficient_balance', balanceCents: 40, requiredCents: 100 });
  expect(refused.message).toBe(
    'The job needs 100 cents until it ends, and the balance has 40: ask for a smaller budget, wait until other jobs end, or have the balance topped up.',
  );
});

const AT = '2026-11-27T23:58:30.250Z';

it.each([
  [
    new LimitReached(null, { code: 'too_many_open_jobs', most: 3 }),
    'The tenant has 3 open jobs, as many as it may have: wait until one of them ends, or cancel one.',
  ],
  [new LimitReached(null, { code: 'too_many_open_jobs', most: 0 }), 'The tenant may have no open jobs: the operator has to allow it some.'],
  [
    new LimitReached('one', { code: 'too_many_open_jobs', most: 3 }),
    'The key one has 3 open jobs, as many as it may have: wait until one of them ends, or cancel one.',
  ],
  [
    new LimitReached('one', { code: 'daily_limit', most: 500, used: 450, required: 100, at: AT }),
    "The key one's jobs of today may cost 450 cents already, and this one 100, of 500 a day: ask for a smaller budget, or wait until the next day (UTC).",
  ],
  [
    new LimitReached(null, { code: 'daily_limit', most: 500, used: 0, required: 1500, at: AT }),
    "The tenant's jobs may cost 500 cents a day, and this one alone 1500: ask for a budget of at most 500 cents.",
  ],
  [
    new LimitReached('one', { code: 'daily_limit', most: 0, used: 0, required: 100, at: AT }),
    'The key one may spend nothing: the operator has to allow an amount per day.',
  ],
])('of a limit says whose it is, how far it is used, and what helps', (refused, message) => {
  expect(refused.message).toBe(message);
  expect(refused.isTemporary).toBe(message.includes('wait until'));
  expect(refused.waitSeconds).toBe(refused.code === 'daily_limit' ? 90 : null);
  expect(refused.code).toBe(message.includes('open jobs') ? 'too_many_open_jobs' : 'daily_limit');
});
