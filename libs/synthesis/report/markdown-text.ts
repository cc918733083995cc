import { CITABLE_PROTOCOLS } from '@lib/domain/checked-report';
import { escapeMarkdown } from '@lib/language/markdown/escape';
import { collapseWhiteSpace } from '@lib/language/white-space';

/** Addresses in text by others, which our Markdown must show literally and without effect. */

const ADDRESS = /(?:[a-z][a-z\d+.-]{1,20}:\/\/|www\.)[^\s`]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi;
/** A quick check, since searching for an address takes far longer. */
const MAY_HOLD_ADDRESS = /@|:\/\/|www\./i;
/** Control characters, including those that change the direction of text. */
const INVISIBLE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Words with common punctuation and single spaces need no replacement; most sentences are like this. */
const PLAIN = /^["“(]?[A-Za-z](?: ?[A-Za-z0-9.,;:!?'"’“”()%$/–—-])*$/;

/** A single line that no Markdown renderer takes for markup, a link or the end of a table cell. */
export function inertText(text: string): string {
  if (PLAIN.test(text) && !MAY_HOLD_ADDRESS.test(text)) return text;
  const line = collapseWhiteSpace(text).replace(INVISIBLE, '').trim();
  let done = 0;
  const parts: string[] = [];
  for (const { 0: address, index } of MAY_HOLD_ADDRESS.test(line) ? line.matchAll(ADDRESS) : []) {
    parts.push(escaped(line.slice(done, index)), `\`${address.replace(/[|[\]]/g, encodeURIComponent)}\``);
    done = index + address.length;
  }
  parts.push(escaped(line.slice(done)));
  return parts
    .join('')
    .replace(/^([#>+=:-])/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** A link to a source. If its address must not be linked, the title with the address as code. */
export function sourceLink(title: string | null, url: string): string {
  const protocol = URL.parse(url)?.protocol;
  const address = url.replace(/[\s<>\\|`\p{Cc}\p{Cs}]/gu, percentEncoded).replace(/\[(\d+)\]/g, '%5B$1%5D');
  if (!protocol || !CITABLE_PROTOCOLS.includes(protocol)) return `${inertText(title ?? 'Untitled')} (\`${address}\`)`;
  return `[${inertText(title ?? address)}](<${address}>)`;
}

/** Percent-encodes a character, even a lone surrogate, which `encodeURIComponent` rejects. */
function percentEncoded(character: string): string {
  return encodeURIComponent(character.toWellFormed());
}

const escaped = (text: string): string => escapeMarkdown(text).replaceAll('|', '\\|');
