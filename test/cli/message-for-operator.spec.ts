import { listKeys } from '@lib/store/access/api-keys';
import { createPool } from '@lib/store/postgres/pool';
import { RowLocked } from '@lib/store/postgres/store-unavailable';
import { messageForOperator } from '../../src/database';

it('of a database that is gone in the middle of a command names it, the reason and what to do', async () => {
  const pool = createPool('postgres://somebody:hidden@127.0.0.1:1/none', 1);
  const failure: unknown = await listKeys({ pool }).catch((error: unknown) => error);
  await pool.end();
  expect(messageForOperator(failure)).toBe(
    'The database cannot be used: connect ECONNREFUSED 127.0.0.1:1. Check DATABASE_URL, and that its server runs.',
  );
});

it('of a row that somebody else holds says that it may be tried again, and of anything else what it says itself', () => {
  expect(messageForOperator(new RowLocked())).toBe(
    'The database cannot do this now. a row that is written is locked by somebody else: try again.',
  );
  expect(messageForOperator(new Error('Nothing is set.'))).toBe('Nothing is set.');
});

it('of a missing right says whose right is needed', () => {
  const refused = Object.assign(new Error('permission denied for table api_key'), { code: '42501' });
  expect(messageForOperator(refused)).toMatch(
    /role in DATABASE_URL: permission denied for table api_key\. Use the DATABASE_URL of the owner/,
  );
});
