import type { JsonObject } from '@lib/domain/json-object';
import type { ErrorClass } from '@lib/domain/vocabulary';

import { objectsIn, textIn } from './json';

/**
 * Texts of providers that are more precise than a status. The first match counts, because texts can be ambiguous: a limit for a minute also says
 * where to pay for a higher one, and a request stopped by a safety check is reported as a missing permission.
 */
const SAID: readonly [RegExp, ErrorClass][] = [
  [
    /content[_ ]?policy|content[_ ]?filter|invalid_prompt|safety policy|safety_check|violates (?:our )?usage guidelines|requires moderation|(?:input|prompt|request|content) (?:was|has been) flagged/i,
    'content_filtered',
  ],
  // The request alone exceeds the tokens per minute, so it would be refused every time.
  [/request too large|must be reduced in order to run/i, 'invalid_request'],
  [/rate_limit|rate limit (?:reached|exceeded)|too many requests|too_many_requests/i, 'rate_limited'],
  [
    /insufficient_quota|exceeded your current quota|credit balance|billing|insufficient (?:balance|credits|funds)|budget_exceeded|budget has been exceeded/i,
    'quota',
  ],
  [
    /(?:used all|(?:have|has) any|requires more|purchase (?:more )?|out of) ?(?:available )?credits|(?:spend(?:ing)?|api usage) limit/i,
    'quota',
  ],
  [/(?:incorrect|invalid|wrong|missing) api[ _]?key|api[ _]?key (?:is )?(?:not valid|invalid)|api_key_invalid/i, 'auth'],
  [/model_not_found|model not found|invalid model|not a valid model|model.{0,80}does not exist/i, 'model_gone'],
];

const PER_DAY = /per[- _]?day/i;
/** A free tier that does not include this model. */
const NO_QUOTA = /\blimit: 0\b/;
const TOLD_WAIT =
  /(?:try again|retry) in (?=\d)(?:(\d{1,5}) ?h(?:ours?)?(?![a-z]) ?)?(?:(\d{1,5}) ?m(?:in(?:ute)?s?)?(?![a-z]) ?)?(?:(\d{1,9}(?:\.\d{1,9})?) ?(m(?:illi)?s(?:ec(?:ond)?s?)?|s(?:ec(?:ond)?s?)?)\b)?/i;

/** The class of an error by its text; undefined if no pattern matches. */
export function meaningOf(words: string): ErrorClass | undefined {
  const meant = SAID.find(([pattern]) => pattern.test(words))?.[1];
  const lasts = meant === 'rate_limited' && PER_DAY.test(words) && toldWaitMs(words) === undefined;
  return lasts ? 'quota' : meant;
}

/** The wait that a text asks for, such as `Please try again in 6m12.5s.` */
export function toldWaitMs(words: string): number | undefined {
  const [, hours = 0, minutes = 0, rest = 0, unit] = TOLD_WAIT.exec(words) ?? ['', '', '', ''];
  const milliseconds = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(rest) * (unit?.startsWith('m') ? 1 : 1000);
  return milliseconds > 0 ? Math.ceil(milliseconds) : undefined;
}

/** What the details of a Google error say about a limit. */
interface GoogleLimit {
  errorClass: 'rate_limited' | 'quota';
  waitMs: number | undefined;
}

/**
 * Google says “You exceeded your current quota, please check your plan and billing details” for every limit; only the details distinguish a limit per
 * minute from one per day. With a limit per day, the pause that it asks for is too short by hours.
 */
export function googleLimit(error: JsonObject): GoogleLimit | null {
  const details = objectsIn(error.details);
  const of = (type: string): JsonObject => details.find((detail) => String(detail['@type']).endsWith(`.${type}`)) ?? {};
  const limits = objectsIn(of('QuotaFailure').violations).map((violation) => String(violation.quotaId));
  const delay = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(textIn(of('RetryInfo').retryDelay) ?? '')?.[1];
  if (limits.length === 0 && delay === undefined) return null;
  const lasts = limits.some((limit) => PER_DAY.test(limit)) || NO_QUOTA.test(textIn(error.message) ?? '');
  if (lasts) return { errorClass: 'quota', waitMs: undefined };
  return { errorClass: 'rate_limited', waitMs: Math.ceil(Number(delay ?? 0) * 1000) || undefined };
}
