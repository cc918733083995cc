import type { ErrorClass } from '@lib/domain/vocabulary';

import { meaningOf, toldWaitMs } from './error-words';
import { excerptOf } from './excerpt';
import { knownCharge, type Charge } from '@lib/domain/money';
import { objectIn, textIn } from './json';
import { ProviderError } from './research-provider';

/** Words of failed runs and of errors with status 200, where no status tells the class; the first match counts. */
const SAID: readonly [RegExp, ErrorClass][] = [
  [/payment_required|^402\b/i, 'quota'],
  [/authentication|unauthenticated|permission|api[ _]key|^40[13]\b/i, 'auth'],
  [/rate_?limit|too_many_requests|resource_exhausted|^429\b/i, 'rate_limited'],
  [/not_found|model.{0,80}does not exist|^4(?:04|10)\b/i, 'model_gone'],
  [/safety|content_?(?:filter|policy)|moderation|prohibited|invalid_prompt/i, 'content_filtered'],
  [/invalid_?(?:request|argument)|request_too_large|^4(?:00|13|22)\b/i, 'invalid_request'],
  [/time(?:d[ _]?)?out|deadline|^(?:408|504)\b/i, 'timeout'],
  [/overloaded|server_error|api_error|internal|unavailable|^5\d\d\b/i, 'overloaded'],
];

/** The words of an error in a document: its code or type, its status and its message. Gateways and local servers may give only a text. */
export function wordsOf(error: unknown): unknown[] {
  const { code, type, status, message } = objectIn(error);
  return [code ?? type, status, message ?? textIn(error)];
}

/** A failure that a provider reported in words instead of a status. @param words its code, if there is one, then its message */
export function failureFromWords(words: readonly unknown[], charge?: Charge): ProviderError {
  const said = words.filter((word) => typeof word === 'string' || typeof word === 'number').join(': ');
  const errorClass = meaningOf(said) ?? SAID.find(([pattern]) => pattern.test(said))?.[1] ?? 'unavailable';
  const message = said === '' ? 'The provider said that the run failed, and not why' : `The provider said: ${excerptOf(said)}`;
  return endedRun(errorClass, message, charge, errorClass === 'rate_limited' ? toldWaitMs(said) : undefined);
}

/** The failure of a finished run. */
export function endedRun(errorClass: ErrorClass, message: string, charge?: Charge, retryAfterMs?: number): ProviderError {
  const known = knownCharge(charge);
  return new ProviderError(errorClass, message, {
    runEnded: true,
    ...(known && { charge: known }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
