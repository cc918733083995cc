import type { Charge } from '@lib/domain/money';

import { endedRun } from './ended-run';

/**
 * Adds a visible note that says why the provider ended the report early.
 * @throws ProviderError `quota` if there is no text at all: another try would use up the same limits and cost the same again
 */
export function withEarlyEnd(markdown: string, why: string, charge: Charge): string {
  if (markdown.trim() !== '') return `${markdown}\n\n*[The provider ended this report early: ${why}.]*`;
  const message = `The answer ended before it said anything (${why}): raise the limits of this provider, such as maxOutputTokens, and what it may reserve`;
  throw endedRun('quota', message, charge);
}
