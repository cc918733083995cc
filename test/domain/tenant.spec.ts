import { BALANCE_CHANGES, MAX_BALANCE_CENTS, settledCents } from '@lib/domain/balance';
import { jobLimitsOf, MAX_LIMITS, leastLimit, LIMIT_NAMES, orderedLimits } from '@lib/domain/limits';
import { orderedScopes, SCOPES, USUAL_SCOPES } from '@lib/domain/scopes';
import {
  decideTenant,
  evolveTenant,
  initialTenant,
  ownLimits,
  tenantStreamId,
  type RemovedSkeleton,
  type TenantCommand,
  type TenantEvent,
} from '@lib/domain/tenant';
import { AT, specificationOf } from '../support/decider';

const tenantId = 'acme';
const BEFORE = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-23T10:00:00.000Z';
const made = { type: 'TenantCreated', facts: { tenantId } } as const;
const created = (keyId: string, expiresAt: string | null = null): TenantEvent => ({
  type: 'KeyCreated',
  facts: { keyId, scopes: ['threads:read'], expiresAt },
});
const given = (...history: TenantEvent[]) =>
  specificationOf<TenantCommand, TenantEvent, typeof initialTenant>({
    initial: initialTenant,
    decide: decideTenant,
    evolve: evolveTenant,
  })(...history);
const own = <Command extends object>(command: Command) => ({ tenantId, ...command }) as unknown as TenantCommand;

describe('a tenant', () => {
  it('begins to exist with the first command that has an effect', () => {
    const key = { keyId: 'one', scopes: ['threads:read'], expiresAt: null };
    given()
      .when(own({ type: 'CreateKey', ...key }))
      .then(made, { type: 'KeyCreated', facts: key });
    given()
      .when(own({ type: 'ChangeLimits', keyId: null, changes: {} }))
      .thenNothing();
    expect(given(made).state).toEqual({ version: 1, tenantId, keys: [], limits: [], warnedOn: null });
  });

  it('records limits that change, in one order, for itself and each of its keys apart', () => {
    const changes = { dailyCents: 5, openJobs: null, burst: undefined };
    const changed = { type: 'LimitsChanged', facts: { keyId: null, limits: { openJobs: null, dailyCents: 5 } } } as const;
    given(made)
      .when(own({ type: 'ChangeLimits', keyId: null, changes }))
      .then(changed);
    given(made, changed)
      .when(own({ type: 'ChangeLimits', keyId: null, changes: { dailyCents: 5 } }))
      .thenNothing();
    given(made, changed)
      .when(own({ type: 'ChangeLimits', keyId: null, changes: { dailyCents: undefined, burst: 7 } }))
      .then({ type: 'LimitsChanged', facts: { keyId: null, limits: { burst: 7, openJobs: null } } });
    const ofKey: TenantEvent = { type: 'LimitsChanged', facts: { keyId: 'one', limits: { openJobs: 3 } } };
    const { state } = given(made, created('one'), changed, ofKey, { ...ofKey, facts: { keyId: 'one', limits: { openJobs: 4 } } });
    expect(state.limits).toHaveLength(2);
    expect([ownLimits(state, null), ownLimits(state, 'one'), ownLimits(state, 'two')]).toEqual([
      { openJobs: null, dailyCents: 5 },
      { openJobs: 4 },
      undefined,
    ]);
  });

  it('is warned once a day, and each of its keys apart', () => {
    const warn = (keyId: string | null, day: string) => own({ type: 'WarnOfSpending', keyId, day, cents: 10, warningCents: 9 });
    const warned = (keyId: string | null, day: string): TenantEvent => ({
      type: 'SpendingWarned',
      facts: { keyId, day, cents: 10, warningCents: 9 },
    });
    const after = given(made, warned(null, '2026-11-21'), warned('one', '2026-11-20'), warned('two', '2026-11-21'));
    expect(after.state).toMatchObject({ warnedOn: '2026-11-21', keysWarnedOn: { one: '2026-11-20', two: '2026-11-21' } });
    after.when(warn(null, '2026-11-21')).thenNothing();
    after.when(warn(null, '2026-11-20')).thenNothing();
    // That of a clock which was far ahead hides none.
    after.when(warn(null, '2026-11-01')).then(warned(null, '2026-11-01'));
    after.when(warn(null, '2026-11-22')).then(warned(null, '2026-11-22'));
    after.when(warn('one', '2026-11-21')).then(warned('one', '2026-11-21'));
    after.when(warn('two', '2026-11-21')).thenNothing();
    after.when(warn('three', '2026-11-21')).then(warned('three', '2026-11-21'));
  });
});

describe('the skeletons of deleted threads', () => {
  const skeleton: RemovedSkeleton = {
    threadId: 'thr_1',
    deletedAt: BEFORE,
    events: 7,
    streams: { count: 2, sha256: 'ab'.repeat(32) },
    headsSha256: 'cd'.repeat(32),
    balance: { reservedCents: 100, chargedCents: 5 },
  };
  const removed: TenantEvent = { type: 'SkeletonsRemoved', facts: { threads: [skeleton] } };

  it('are recorded as removed, all that were found in one event, and none is no event', () => {
    given(made)
      .when(own({ type: 'RemoveSkeletons', threads: [skeleton] }))
      .then(removed);
    given()
      .when(own({ type: 'RemoveSkeletons', threads: [skeleton] }))
      .then(made, removed);
    given(made)
      .when(own({ type: 'RemoveSkeletons', threads: [] }))
      .thenNothing();
  });

  it('change nothing of the tenant but its version', () => {
    const { state } = given(made, created('one'));
    expect(evolveTenant(state, removed, LATER)).toEqual({ ...state, version: 3 });
  });
});

it('a tenant does not guess at an event of a newer build', () => {
  expect(() => evolveTenant(initialTenant, { type: 'TenantPainted' } as never, AT)).toThrow(
    'unknown tenant event {"type":"TenantPainted"}: this version is older than the history it reads',
  );
});

it('the stream of a tenant is named after it', () => {
  expect(tenantStreamId('acme')).toBe('ten_acme');
});

it('what an ended job costs its balance is rounded up, and no more than it held', () => {
  expect([0, 1, 10_000, 10_001, 1_000_000, 1_000_001].map((micros) => settledCents(100, micros))).toEqual([0, 1, 1, 2, 100, 100]);
});

it('the words for what moves a balance stay as they are stored, and its largest is an exact number', () => {
  expect(BALANCE_CHANGES).toEqual(['top_up', 'adjustment', 'reservation', 'settlement']);
  expect(MAX_BALANCE_CENTS).toBe(1e12);
});

describe('scopes', () => {
  it('are listed once, in one order', () => {
    expect(SCOPES).toEqual(['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read', 'admin']);
    expect(orderedScopes(['admin', 'threads:read', 'admin'])).toEqual(['threads:read', 'admin']);
    expect(orderedScopes(new Set())).toEqual([]);
  });

  it('are all but that of the operator where nobody says more', () => {
    expect(USUAL_SCOPES).toEqual(['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read']);
  });
});

describe('a key', () => {
  it('is created or adopted once, with its scopes in one order', () => {
    const scopes = [...SCOPES].reverse();
    const adopted = { keyId: 'old', expiresAt: null, createdAt: BEFORE, revokedAt: null };
    given(made)
      .when(own({ type: 'AdoptKey', ...adopted, scopes }))
      .then({ type: 'KeyAdopted', facts: { ...adopted, scopes: SCOPES } });
    for (const type of ['CreateKey', 'AdoptKey'])
      given(made, created('one'))
        .when(own({ type, ...adopted, keyId: 'one', scopes }))
        .thenNothing();
    const old: TenantEvent = { type: 'KeyAdopted', facts: { ...adopted, scopes: [], revokedAt: BEFORE } };
    expect(given(made, created('one'), old).state.keys).toMatchObject([
      { keyId: 'one', createdAt: AT, revokedAt: null },
      { keyId: 'old', createdAt: BEFORE, revokedAt: BEFORE },
    ]);
  });

  it('keeps what a change does not name, and other keys as they are', () => {
    const after = given(made, created('one'), created('two', LATER));
    after.when(own({ type: 'ChangeKey', keyId: 'two', scopes: ['threads:read'] })).thenNothing();
    after
      .when(own({ type: 'ChangeKey', keyId: 'two', scopes: ['audit:read', 'threads:read'] }))
      .then({ type: 'KeyChanged', facts: { keyId: 'two', scopes: ['threads:read', 'audit:read'], expiresAt: LATER } });
    after
      .when(own({ type: 'ChangeKey', keyId: 'two', expiresAt: null }))
      .then({ type: 'KeyChanged', facts: { keyId: 'two', scopes: ['threads:read'], expiresAt: null } });
    const changed: TenantEvent = { type: 'KeyChanged', facts: { keyId: 'two', scopes: [], expiresAt: null } };
    expect(given(made, created('one'), created('two', LATER), changed).state.keys).toMatchObject([
      { keyId: 'one', scopes: ['threads:read'], createdAt: AT },
      { keyId: 'two', scopes: [], expiresAt: null, createdAt: AT },
    ]);
  });

  it.each<[string, TenantEvent[]]>([
    ['of which nobody knows', []],
    ['that was revoked', [created('one'), { type: 'KeyRevoked', facts: { keyId: 'one' } }]],
    ['that ends at this moment', [created('one', AT)]],
  ])('%s is neither changed nor replaced', (_, history) => {
    const after = given(made, ...history);
    after.when(own({ type: 'ChangeKey', keyId: 'one', expiresAt: LATER })).thenThrows('key_not_found');
    after.when(own({ type: 'RotateKey', keyId: 'new', replacedKeyId: 'one', overlapMs: 0 })).thenThrows('key_not_found');
  });

  it('that is replaced goes on for the overlap, unless it ends before; the new one lives as long as it was given', () => {
    const rotate = (more: object = {}) => own({ type: 'RotateKey', keyId: 'new', replacedKeyId: 'one', overlapMs: 3_600_000, ...more });
    const rotated = (expiresAt: string | null, replacedExpiresAt = '2026-11-21T11:00:00.000Z') => ({
      type: 'KeyRotated',
      facts: { keyId: 'new', replacedKeyId: 'one', replacedExpiresAt, scopes: ['threads:read'], expiresAt },
    });
    given(made, created('one')).when(rotate()).then(rotated(null));
    given(made, created('one', LATER)).when(rotate()).then(rotated(LATER));
    given(made, created('one'))
      .when(rotate({ expiresAt: LATER }))
      .then(rotated(LATER));
    given(made, created('one', LATER))
      .when(rotate({ expiresAt: null }))
      .then(rotated(null));
    const soon = '2026-11-21T10:30:00.000Z';
    given(made, created('one', soon)).when(rotate()).then(rotated(soon, soon));
    given(made, created('one'), created('new')).when(rotate()).thenNothing();
    const { keys } = given(made, created('one', LATER), rotated(null) as TenantEvent).state;
    expect(keys).toMatchObject([
      { keyId: 'one', expiresAt: '2026-11-21T11:00:00.000Z' },
      { keyId: 'new', scopes: ['threads:read'], createdAt: AT, expiresAt: null, revokedAt: null },
    ]);
  });

  it('that is replaced once more hands on the life that it was given, not the one that the first replacement left it', () => {
    const rotate = own({ type: 'RotateKey', keyId: 'newer', replacedKeyId: 'one', overlapMs: 60_000 });
    const replacedBefore = (expiresAt: string | null): TenantEvent => ({
      type: 'KeyRotated',
      facts: { keyId: 'new', replacedKeyId: 'one', replacedExpiresAt: '2026-11-21T11:00:00.000Z', scopes: ['threads:read'], expiresAt },
    });
    const newer = (expiresAt: string | null) => ({
      type: 'KeyRotated',
      facts: {
        keyId: 'newer',
        replacedKeyId: 'one',
        replacedExpiresAt: '2026-11-21T10:01:00.000Z',
        scopes: ['threads:read'],
        expiresAt,
      },
    });
    given(made, created('one'), replacedBefore(null)).when(rotate).then(newer(null));
    given(made, created('one', LATER), replacedBefore(LATER)).when(rotate).then(newer(LATER));
    const replacedTwice = { ...replacedBefore(null), facts: { ...replacedBefore(null).facts, keyId: 'second' } } as TenantEvent;
    given(made, created('one'), replacedBefore(null), replacedTwice).when(rotate).then(newer(null));
    const changed: TenantEvent = { type: 'KeyChanged', facts: { keyId: 'one', scopes: ['threads:read'], expiresAt: LATER } };
    given(made, created('one'), replacedBefore(null), changed).when(rotate).then(newer(LATER));
    // A change of scopes repeats the expiry.
    const { state } = given(made, created('one'), replacedBefore(null));
    const narrowed = decideTenant(own({ type: 'ChangeKey', keyId: 'one', scopes: [] }), state, AT);
    given(made, created('one'), replacedBefore(null), ...narrowed)
      .when(rotate)
      .then({ type: 'KeyRotated', facts: { ...newer(null).facts, scopes: [] } });
  });

  it('hands its own limits on to the one that takes its place', () => {
    const limits: TenantEvent = { type: 'LimitsChanged', facts: { keyId: 'one', limits: { openJobs: 3 } } };
    const rotate = own({ type: 'RotateKey', keyId: 'new', replacedKeyId: 'one', overlapMs: 0 });
    expect(given(made, created('one'), limits).when(rotate).events()[1]).toEqual({
      type: 'LimitsChanged',
      facts: { keyId: 'new', limits: { openJobs: 3 } },
    });
    given(made, created('one'), limits, { ...limits, facts: { keyId: 'one', limits: {} } })
      .when(rotate)
      .thenTypes('KeyRotated');
  });

  it('is revoked once, and has to be known', () => {
    const revoke = own({ type: 'RevokeKey', keyId: 'one' });
    const revoked: TenantEvent = { type: 'KeyRevoked', facts: { keyId: 'one' } };
    given(made).when(revoke).thenThrows('key_not_found');
    given(made, created('one'), created('two')).when(revoke).then(revoked);
    given(made, created('one'), revoked).when(revoke).thenNothing();
    expect(given(made, created('one'), created('two'), revoked).state.keys).toMatchObject([{ revokedAt: AT }, { revokedAt: null }]);
  });
});

describe('limits', () => {
  it.each([
    [{}, null],
    [{ requestsPerMinute: 5, burst: 5, openJobs: null }, null],
    [{ openJobs: 0 }, { keyId: 'one', openJobs: 0, dailyCents: null, warningCents: null }],
    [{ dailyCents: 7 }, { keyId: 'one', openJobs: null, dailyCents: 7, warningCents: null }],
    [{ warningCents: 6 }, { keyId: 'one', openJobs: null, dailyCents: null, warningCents: 6 }],
  ])('%j say of jobs: %j', (limits, wanted) => expect(jobLimitsOf('one', limits)).toEqual(wanted));

  it('of requests are at least one, of jobs and cents may be none', () => {
    const names = ['requestsPerMinute', 'burst', 'openJobs', 'warningCents', 'dailyCents'] as const;
    expect(names.map(leastLimit)).toEqual([1, 1, 0, 0, 0]);
  });

  it('are named once, in one order, and those that nobody gave are left out', () => {
    expect(LIMIT_NAMES).toEqual(['requestsPerMinute', 'burst', 'openJobs', 'warningCents', 'dailyCents']);
    expect(Object.entries(orderedLimits({ dailyCents: 0, openJobs: null, burst: undefined, requestsPerMinute: 1 }))).toEqual([
      ['requestsPerMinute', 1],
      ['openJobs', null],
      ['dailyCents', 0],
    ]);
  });

  it('are never so large that their sums are no exact numbers', () => {
    for (const name of LIMIT_NAMES) expect(Number.isSafeInteger(MAX_LIMITS[name] * 1_000)).toBe(true);
  });
});
