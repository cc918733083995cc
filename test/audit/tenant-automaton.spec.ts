import { SCOPES } from '@lib/domain/scopes';
import { decideTenant, evolveTenant, initialTenant, type TenantCommand, type TenantEvent, type TenantState } from '@lib/domain/tenant';
import { TenantAutomaton } from '@lib/audit/tenant-automaton';
import { DomainError } from '@lib/domain/errors';
import fc from '../support/properties';

const tenantId = 'acme';
const timeOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

const keyId = fc.constantFrom('one', 'two', 'three', 'four');
const scopes = fc.subarray([...SCOPES]);
const expiresAt = fc.option(fc.nat(40).map(timeOf));
const command: fc.Arbitrary<TenantCommand> = fc.oneof(
  fc.record({ type: fc.constant('CreateKey' as const), tenantId: fc.constant(tenantId), keyId, scopes, expiresAt }),
  fc.record({
    type: fc.constant('AdoptKey' as const),
    tenantId: fc.constant(tenantId),
    keyId,
    scopes,
    expiresAt,
    createdAt: fc.constant(timeOf(0)),
    revokedAt: fc.option(fc.constant(timeOf(0))),
  }),
  fc
    .record({
      type: fc.constant('ChangeKey' as const),
      tenantId: fc.constant(tenantId),
      keyId,
      scopes: fc.option(scopes, { nil: undefined }),
    })
    .map(({ scopes: changed, ...rest }) => ({ ...rest, ...(changed && { scopes: changed }) })),
  fc.record({
    type: fc.constant('RotateKey' as const),
    tenantId: fc.constant(tenantId),
    keyId,
    replacedKeyId: keyId,
    overlapMs: fc.nat(3_600_000),
    expiresAt: fc.option(expiresAt, { nil: undefined }),
  }),
  fc.record({ type: fc.constant('RevokeKey' as const), tenantId: fc.constant(tenantId), keyId }),
);

interface Told {
  event: TenantEvent;
  at: string;
}

/** A command a minute; what is refused leaves nothing. */
function play(commands: readonly TenantCommand[]): { told: Told[]; state: TenantState } {
  let state = initialTenant;
  const told: Told[] = [];
  commands.forEach((command, minute) => {
    const at = timeOf(minute);
    for (const event of decided(command, state, at)) {
      state = evolveTenant(state, event, at);
      told.push({ event, at });
    }
  });
  return { told, state };
}

function decided(command: TenantCommand, state: TenantState, at: string): TenantEvent[] {
  try {
    return decideTenant(command, state, at);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

function faultsIn(told: readonly Told[], streamId = `ten_${tenantId}`): string[] {
  const automaton = new TenantAutomaton();
  return told.flatMap(({ event, at }, place) => {
    const field = automaton.take({ streamId, version: place + 1, type: event.type, facts: { ...event.facts }, meta: { occurredAt: at } });
    return field === null ? [] : [`${place + 1} ${event.type} ${field}`];
  });
}

describe('the automaton of a tenant', () => {
  it('takes whatever the decider decides', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
        expect(faultsIn(play(commands).told)).toEqual([]);
      }),
    );
  });

  const whole = play([
    { type: 'CreateKey', tenantId, keyId: 'one', scopes: ['threads:read'], expiresAt: null },
    { type: 'ChangeKey', tenantId, keyId: 'one', scopes: ['threads:read', 'jobs:write'] },
    { type: 'RotateKey', tenantId, keyId: 'two', replacedKeyId: 'one', overlapMs: 60_000 },
    { type: 'RevokeKey', tenantId, keyId: 'two' },
  ]).told;

  it('takes no event twice, but a change of a key that is in force', () => {
    const twice = (place: number) => faultsIn([...whole.slice(0, place + 1), whole[place] as Told, ...whole.slice(place + 1)]);
    expect(whole.map(({ event }, place) => [event.type, twice(place).length > 0])).toEqual([
      ['TenantCreated', true],
      ['KeyCreated', true],
      ['KeyChanged', false],
      ['KeyRotated', true],
      ['KeyRevoked', true],
    ]);
  });

  it('misses the event by which a tenant or a key came to be', () => {
    const without = (type: string) => faultsIn(whole.filter(({ event }) => event.type !== type));
    expect(without('TenantCreated')).not.toEqual([]);
    expect(without('KeyCreated')).not.toEqual([]);
    expect(without('KeyRotated')).not.toEqual([]);
  });

  it.each([
    ['of another tenant', 'ten_globex', whole],
    ['that grants what nobody knows', 'ten_acme', changed('KeyCreated', { scopes: ['threads:read', 'everything'] })],
    ['that prolongs a key by its rotation', 'ten_acme', prolonged()],
    ['of a type that is none', 'ten_acme', [...whole, { event: { type: 'KeyDreamt', facts: { keyId: 'one' } }, at: timeOf(9) }]],
    ['of a key that nobody made', 'ten_acme', [...whole, { event: { type: 'KeyRevoked', facts: { keyId: 'three' } }, at: timeOf(9) }]],
  ])('finds a history %s', (_, streamId, told) => {
    expect(faultsIn(told as Told[], streamId)).not.toEqual([]);
  });

  function changed(type: string, facts: object): Told[] {
    return whole.map(({ event, at }) => ({
      at,
      event: { ...event, facts: { ...event.facts, ...(event.type === type && facts) } } as TenantEvent,
    }));
  }

  function prolonged(): Told[] {
    const expiring = play([
      { type: 'CreateKey', tenantId, keyId: 'one', scopes: [], expiresAt: timeOf(5) },
      { type: 'RotateKey', tenantId, keyId: 'two', replacedKeyId: 'one', overlapMs: 60_000 },
    ]).told;
    return expiring.map(({ event, at }) =>
      event.type === 'KeyRotated' ? { at, event: { ...event, facts: { ...event.facts, replacedExpiresAt: timeOf(99) } } } : { event, at },
    );
  }
});

describe('a tenant', () => {
  it('leaves out no state of a key: a rotated one goes on for the overlap, and never longer than it would have', () => {
    const { state } = play([
      { type: 'CreateKey', tenantId, keyId: 'one', scopes: ['jobs:write', 'threads:read'], expiresAt: timeOf(60) },
      { type: 'RotateKey', tenantId, keyId: 'two', replacedKeyId: 'one', overlapMs: 10 * 60_000 },
      { type: 'RotateKey', tenantId, keyId: 'three', replacedKeyId: 'one', overlapMs: 10 * 60_000, expiresAt: null },
      { type: 'RevokeKey', tenantId, keyId: 'two' },
    ]);
    const usual = { scopes: ['threads:read', 'jobs:write'], revokedAt: null };
    expect(state.keys).toEqual([
      { ...usual, keyId: 'one', createdAt: timeOf(0), expiresAt: timeOf(11), expiresAtUnreplaced: timeOf(60) },
      { ...usual, keyId: 'two', createdAt: timeOf(1), expiresAt: timeOf(61), revokedAt: timeOf(3) },
      { ...usual, keyId: 'three', createdAt: timeOf(2), expiresAt: null },
    ]);
  });

  it('refuses to change or rotate a key that has ended or that it does not have', () => {
    const { state } = play([
      { type: 'CreateKey', tenantId, keyId: 'expired', scopes: [], expiresAt: timeOf(1) },
      { type: 'CreateKey', tenantId, keyId: 'revoked', scopes: [], expiresAt: null },
      { type: 'RevokeKey', tenantId, keyId: 'revoked' },
    ]);
    for (const keyId of ['expired', 'revoked', 'unknown']) {
      const change: TenantCommand = { type: 'ChangeKey', tenantId, keyId, scopes: ['admin'], expiresAt: null };
      const rotate: TenantCommand = { type: 'RotateKey', tenantId, keyId: 'new', replacedKeyId: keyId, overlapMs: 0 };
      for (const command of [change, rotate]) expect(() => decideTenant(command, state, timeOf(9))).toThrow('key_not_found');
    }
    expect(decideTenant({ type: 'RevokeKey', tenantId, keyId: 'revoked' }, state, timeOf(9))).toEqual([]);
    expect(() => decideTenant({ type: 'RevokeKey', tenantId, keyId: 'unknown' }, state, timeOf(9))).toThrow('key_not_found');
  });
});
