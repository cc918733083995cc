import type { ProcessIdentity } from '@lib/domain/process-identity';
import { WIRE_VERSION } from './subjects';

/** Broadcast every few seconds by a process that cannot reach its database; payload `{ v, instance, build, roles }`. */
export const CUT_OFF_SUBJECT = 'process.cut_off';

/** A process that runs and cannot reach its database, so that the database shows nothing of it. */
export interface CutOffProcess extends ProcessIdentity {
  roles: string[];
}

const MAX_NAME_LENGTH = 100;
const MAX_ROLES = 10;

export const cutOffPayload = ({ instance, build, roles }: CutOffProcess): object => ({ v: WIRE_VERSION, instance, build, roles });

/** @returns null for a payload that this build cannot read */
export function readCutOff(payload: unknown): CutOffProcess | null {
  const { v, instance, build, roles } = (payload ?? {}) as Record<string, unknown>;
  if (v !== WIRE_VERSION || !isName(instance) || !isName(build)) return null;
  if (!Array.isArray(roles) || roles.length > MAX_ROLES || !roles.every(isName)) return null;
  return { instance, build, roles };
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
