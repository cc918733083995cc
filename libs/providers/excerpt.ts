const ownKeys = new Set<string>();
/** Shorter values cannot be keys, and hiding them would garble messages. */
const MIN_KEY_LENGTH = 8;
/** Longest part of a provider's text in a message. */
const MAX_EXCERPT_LENGTH = 300;
const WEB_PAGE = /^\s*<(?:!doctype html|html|head|body)\b/i;
const TITLE = /<title[^>]{0,200}>([^<]{1,200})/i;

/** Hides this key in all messages from now on, whichever provider repeats it. */
export function hideInMessages(key: string): void {
  if (key.length >= MIN_KEY_LENGTH) ownKeys.add(key);
}

/** A provider's text as part of an error message: one line, without keys, at most 300 characters; for a web page, its title only. */
export function excerptOf(text: string): string {
  const hidden = [...ownKeys]
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), isWebPage(text) ? describePage(text) : text)
    .replace(/\b(?:sk|pplx|xai|gsk)-[\w*.-]{4,}|\bAIza[\w*-]{4,}/g, '[key]')
    .replace(/([?&](?:api[_-]?)?key=)[^&\s"']+/gi, '$1[key]');
  const characters = Array.from(hidden.replace(/[\s\p{Cc}]+/gu, ' ').trim());
  return characters.length > MAX_EXCERPT_LENGTH ? `${characters.slice(0, MAX_EXCERPT_LENGTH - 1).join('')}…` : characters.join('');
}

/** APIs never answer with a web page, but proxies, firewalls and wrong addresses do. */
export const isWebPage = (text: string): boolean => WEB_PAGE.test(text);

function describePage(text: string): string {
  const title = TITLE.exec(text)?.[1]?.trim();
  return `a web page${title ? ` titled "${title}"` : ''} and not the API, as a proxy, a firewall or a wrong baseUrl answers`;
}
