import { CLAIM_ID_PATTERN, claimIdOf, claimPlaceOf } from '@lib/domain/claim-id';
import { newId } from '@lib/store/new-id';
import fc from '../support/properties';

it('says of which job a claim is and where it stands, and fits its pattern', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999 }), (place) => {
      const jobId = newId('job');
      const id = claimIdOf(jobId, place);
      expect(id).toMatch(new RegExp(CLAIM_ID_PATTERN));
      expect(claimPlaceOf(id)).toEqual({ jobId, place });
    }),
  );
});

it('reads nothing else as one', () => {
  const [valid] = [claimIdOf(newId('job'), 1)];
  for (const text of ['', 'clm_', 'clm_01', `${valid}0000000`, `${valid}x`, `x${valid}`, valid.replace(/_1$/, '_0'), valid.toUpperCase()])
    expect(claimPlaceOf(text)).toBeNull();
});
