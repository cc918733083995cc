import { DOMAIN_ERROR_CODES, DomainError } from '@lib/domain/errors';

it('carries its code, and says it where nothing better is known', () => {
  expect(new DomainError('conflict')).toMatchObject({ name: 'DomainError', code: 'conflict', detail: undefined, message: 'conflict' });
  const explained = new DomainError('budget_too_small', 'The budget XXS covers none; take XS.');
  expect(explained).toMatchObject({ code: 'budget_too_small', message: 'The budget XXS covers none; take XS.' });
  expect(explained).toBeInstanceOf(Error);
});

it('has stable codes in snake_case', () => {
  for (const code of DOMAIN_ERROR_CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});
