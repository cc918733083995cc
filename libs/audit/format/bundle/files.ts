/** The files of a bundle by content. There are no others, so that no name in a bundle can lead out of its folder. */
export const FILES = {
  readme: 'README.md',
  head: 'bundle.json',
  checkpoint: 'checkpoint',
  consistency: 'consistency.jsonl',
  deletions: 'deletions.jsonl',
  events: 'events.jsonl',
  keys: 'keys.txt',
  prices: 'prices.jsonl',
} as const;

/** The digests of all other files, as `sha256sum -c` reads them. Written last, so that an interrupted export has none. */
export const SUMS = 'SHA256SUMS';

/** The head of a bundle: what the bundle says that it holds. */
export interface BundleHead {
  format: typeof FORMAT;
  exportedAt: string;
  scope: BundleScope;
  checkpoint: { origin: string; size: number };
  counts: { streams: number; events: number; deletions: number };
}

/** Each thread comes with all of its jobs, unless a single job was asked for. `since`: only histories to which something was added since then. */
export interface BundleScope {
  job: string | null;
  thread: string | null;
  tenant: string | null;
  since: string | null;
}

export const FORMAT = 'research-threads audit bundle 1';

const MOST_NESTED = 64;

/** @throws Error that tells the problem */
export function readHead(text: string): BundleHead {
  const head = parsed(text) as Partial<BundleHead> | null;
  if (head?.format !== FORMAT) throw new Error(`says the format ${JSON.stringify(head?.format)}, and this build reads "${FORMAT}"`);
  const { checkpoint, counts, scope } = head;
  const numbers = [checkpoint?.size, counts?.streams, counts?.events, counts?.deletions];
  const isWhole = typeof checkpoint?.origin === 'string' && numbers.every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
  if (!isWhole || !isScope(scope)) throw new Error('lacks the scope, the checkpoint or the counts');
  return head as BundleHead;
}

function isScope(scope: Partial<BundleScope> | undefined): scope is BundleScope {
  const { job, thread, tenant, since } = scope ?? {};
  const areTexts = [job, thread, tenant, since].every((member) => member === null || typeof member === 'string');
  return areTexts && (since === null || isTime(String(since)));
}

/** Only as an export writes it: what else `Date` takes for a time, other verifiers do not. */
const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

/** Up to its end or, if it has none, that of the file: otherwise each quotation mark in it would be searched from anew. */
const TEXT = /"(?:[^"\\]|\\[^]?)*(?:"|$)/g;

/** Refuses brackets within brackets beyond what any parser can read, wherever texts do not hold them. */
function requireFlat(text: string): void {
  let depth = 0;
  for (const [bracket] of text.replace(TEXT, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > MOST_NESTED) throw new Error(`is nested deeper than ${MOST_NESTED}`);
  }
}

function parsed(text: string): unknown {
  requireFlat(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('is not JSON');
  }
}

/**
 * The digests of `SHA256SUMS` by file.
 * @throws Error that tells the problem
 */
export function readSums(text: string): Map<string, string> {
  const names: readonly string[] = Object.values(FILES);
  const sums = new Map<string, string>();
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [, digest, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (digest === undefined || name === undefined) throw new Error('has a line that is no digest and name');
    if (!names.includes(name)) throw new Error(`names ${JSON.stringify(name)}, which is no file of a bundle`);
    if (sums.has(name)) throw new Error(`names ${name} twice`);
    sums.set(name, digest);
  }
  const missing = names.find((name) => !sums.has(name));
  if (missing !== undefined) throw new Error(`does not name ${missing}`);
  return sums;
}
