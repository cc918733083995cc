import { ID_KINDS, isId } from '@lib/domain/ids';
import { newId } from '@lib/store/new-id';

describe.each(ID_KINDS)('an identifier of kind %s', (kind) => {
  const others = ID_KINDS.filter((other) => other !== kind);

  it('is what the service makes', () => {
    const ids = Array.from({ length: 1000 }, () => newId(kind));
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => isId(kind, id))).toBe(true);
    expect(others.some((other) => ids.some((id) => isId(other, id)))).toBe(false);
  });

  it.each([
    '',
    kind,
    `${kind}_`,
    `${kind}_0000000000000000000000000`,
    `${kind}_000000000000000000000000000`,
    `${kind}_80000000000000000000000000`,
    `${kind}_0000000000000000000000000i`,
    `${kind}_0000000000000000000000000U`,
    `${kind}_01JD6XW8K2E4ZVQ7H3M5N9P0RS`,
    `${kind}_00000000000000000000000000\n`,
    `x${kind}_00000000000000000000000000`,
    `${kind}-00000000000000000000000000`,
  ])('is not %j', (text) => {
    expect(isId(kind, text)).toBe(false);
  });
});

it('sorts by the time it was made', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push(newId('job'));
    const before = Date.now();
    while (Date.now() === before) await Promise.resolve();
  }
  expect([...ids].sort()).toEqual(ids);
});
