import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { ChangeMeta } from '@lib/store/tenants/tenants';

/** What the events of an operator's command record as their origin. */
export const operatorMeta = (): ChangeMeta => ({ actor: `command:${userName()}`, correlationId: randomUUID() });

/** In a container the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
