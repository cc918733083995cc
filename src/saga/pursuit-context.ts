import type { ClaimGranted } from '@lib/messaging/saga-messages';
import type { StoredViews } from '@lib/store/views/stored-views';

/** Bounds of the context that travels with a grant, in items and UTF-16 units. */
const MAX_CLAIMS = 30;
const MAX_MESSAGES = 10;
const MAX_TEXT_LENGTH = 2_000;

/** What the parent of a pursued job found, and what was said in the thread since, as of the claim of the child's step. */
export async function pursuitContext(views: StoredViews, threadId: string, parentJobId: string): Promise<ClaimGranted['context']> {
  const pursuit = await views.pursuitOf(threadId, parentJobId, MAX_MESSAGES);
  if (!pursuit) return null;
  return {
    question: bounded(pursuit.question),
    claims: pursuit.claims.slice(0, MAX_CLAIMS).map(bounded),
    laterMessages: pursuit.laterMessages.map(bounded),
  };
}

const bounded = (text: string): string => (text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…`);
