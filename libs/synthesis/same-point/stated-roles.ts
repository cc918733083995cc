import type { Reading } from '@lib/language/reading/reading';
import { countShared, isAmong } from '../alignment/same-word';
import { deedsAt } from './deeds';
import type { StatedRole } from './stated-role';
import { rolesAt } from './roles-of-persons';
import { areOfOtherTimes } from '../difference/values';

/** Least number of other words that both must share, beside the holder. */
const MIN_SHARED = 2;
/** Most roles read from a sentence. */
const MAX_ROLES = 6;

/** A claim with its roles. */
interface WithRoles {
  reading: Reading;
  roles: readonly StatedRole[];
}

/**
 * Whether two claims give a role to different holders: "designed by Turing himself" and "designed by Tommy Flowers", "died of leukaemia" and "of
 * ovarian cancer".
 */
export const giveRoleToOthers = (one: WithRoles, other: WithRoles, asked: Reading): boolean =>
  // Checked first, because most claims have no role, and a large job compares twenty thousand pairs.
  one.roles.length > 0 &&
  other.roles.length > 0 &&
  !areOfOtherTimes(one.reading, other.reading) &&
  one.roles.some((mine) => other.roles.some((their) => areOthers(mine, their, asked)));

function areOthers(mine: StatedRole, their: StatedRole, asked: Reading): boolean {
  if (mine.role !== their.role || mine.by.some((token) => isAmong(token, their.by))) return false;
  const [less, more] = mine.object.length <= their.object.length ? [mine, their] : [their, mine];
  if (!less.object.every((token) => isAmong(token, more.object))) return false;
  return countShared(mine.beside, their.beside, asked) >= MIN_SHARED;
}

/** The roles in a sentence. English. */
export function statedRolesIn(reading: Reading): readonly StatedRole[] {
  const roles: StatedRole[] = [];
  for (let at = 0; at < reading.tokens.length && roles.length < MAX_ROLES; at += 1) {
    const deeds = deedsAt(reading, at);
    roles.push(...(deeds.length > 0 ? deeds : rolesAt(reading, at)));
  }
  return roles;
}
