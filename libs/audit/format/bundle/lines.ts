import canonicalize from 'canonicalize';
import type { AuditedEvent } from '../../audited-event';
import type { ErasedStream } from '../deletion-receipt';
import { HASH_BYTES } from '../merkle';

/** A line of `events.jsonl`: an event without its content, its place in the log, and the proof of that place. */
export interface BundledEvent {
  event: AuditedEvent;
  index: number;
  appendedAt: string | null;
  proof: Buffer[];
}

/** A line of `consistency.jsonl`: an older checkpoint, and the proof that the bundle's checkpoint extends it. */
export interface OlderCheckpoint {
  checkpoint: string;
  proof: Buffer[];
}

/** A line of `deletions.jsonl`: a receipt as the API returns it. */
export interface ReceiptLine {
  threadId: string;
  note: string;
  streams: ErasedStream[];
}

/** A price table by its digest; null if the exporting service no longer had it. */
export interface PriceLine {
  sha256: string;
  prices: Record<string, number> | null;
}

type Members = Record<string, unknown>;

const EVENT = 'appendedAt facts hash id index meta prevHash proof schemaVersion sealedSha256 streamId type version';

/** Every line is RFC 8785 JSON, so that the same members always give the same bytes. */
export const lineOf = (members: object): string => `${canonicalize(members) ?? ''}\n`;

export function lineOfEvent({ event, index, appendedAt, proof }: BundledEvent): string {
  const { facts, hash, id, meta, prevHash, schemaVersion, sealedSha256, streamId, type, version } = event;
  return lineOf({
    ...{ appendedAt, facts, hash: hash.toString('hex'), id, index, meta, prevHash: prevHash.toString('hex') },
    ...{ proof: base64Of(proof), schemaVersion, sealedSha256: sealedSha256?.toString('hex') ?? null, streamId, type, version },
  });
}

/** @throws Error that tells the problem */
export function readEvent(line: string): BundledEvent {
  const told = membersOf(line, EVENT);
  const { facts, meta, sealedSha256, appendedAt } = told;
  if (!isObject(facts) || !isObject(meta)) throw new Error('has facts or meta that are no object');
  if (appendedAt !== null && typeof appendedAt !== 'string') throw new Error('has an appendedAt that is no text');
  const event: AuditedEvent = {
    ...{ facts, meta, id: text(told, 'id'), streamId: text(told, 'streamId'), type: text(told, 'type') },
    ...{ version: count(told, 'version'), schemaVersion: count(told, 'schemaVersion'), sealed: null },
    sealedSha256: sealedSha256 === null ? null : digest(told, 'sealedSha256'),
    ...{ prevHash: digest(told, 'prevHash'), hash: digest(told, 'hash') },
  };
  return { event, index: count(told, 'index'), appendedAt, proof: hashes(told, 'proof') };
}

/** @throws Error that tells the problem */
export function readOlderCheckpoint(line: string): OlderCheckpoint {
  const told = membersOf(line, 'checkpoint proof');
  return { checkpoint: text(told, 'checkpoint'), proof: hashes(told, 'proof') };
}

/** @throws Error that tells the problem */
export function readReceiptLine(line: string): ReceiptLine {
  const told = membersOf(line, 'note streams threadId');
  const { streams } = told;
  const isList = Array.isArray(streams) && streams.every((stream) => isObject(stream) && typeof stream.streamId === 'string');
  if (!isList) throw new Error('has streams that are no list of streams');
  return { threadId: text(told, 'threadId'), note: text(told, 'note'), streams: streams as ErasedStream[] };
}

/** @throws Error that tells the problem */
export function readPrices(line: string): PriceLine {
  const told = membersOf(line, 'prices sha256');
  const { prices } = told;
  const isTable = isObject(prices) && Object.values(prices).every((price) => Number.isSafeInteger(price));
  if (prices !== null && !isTable) throw new Error('has prices that are no price table');
  return { sha256: digest(told, 'sha256').toString('hex'), prices: prices as PriceLine['prices'] };
}

export const base64Of = (proof: readonly Buffer[]): string[] => proof.map((hash) => hash.toString('base64'));

/**
 * Accepts exactly these members: data that no formula covers must not be in a bundle.
 * @throws Error that tells the problem
 */
function membersOf(line: string, names: string): Members {
  let told: unknown;
  let canonical: string | undefined;
  try {
    told = JSON.parse(line);
    canonical = canonicalize(told);
  } catch {
    throw new Error('is not JSON');
  }
  if (!isObject(told)) throw new Error('is no JSON object');
  if (canonical !== line) throw new Error('is not RFC 8785 JSON: somebody wrote it anew');
  const given = Object.keys(told).sort().join(' ');
  if (given !== names) throw new Error(`has the members ${given}, and must have ${names}`);
  return told;
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

function text(told: Members, name: string): string {
  const value = told[name];
  if (typeof value === 'string') return value;
  throw new Error(`has a ${name} that is no text`);
}

function count(told: Members, name: string): number {
  const value = told[name];
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw new Error(`has a ${name} that is no whole number`);
}

function digest(told: Members, name: string): Buffer {
  const value = text(told, name);
  if (/^[0-9a-f]{64}$/.test(value)) return Buffer.from(value, 'hex');
  throw new Error(`has a ${name} that is no SHA-256 in 64 lower-case hexadecimal digits`);
}

function hashes(told: Members, name: string): Buffer[] {
  const value = told[name];
  if (!Array.isArray(value)) throw new Error(`has a ${name} that is no list`);
  return value.map((encoded: unknown) => {
    const hash = Buffer.from(String(encoded), 'base64');
    if (hash.length === HASH_BYTES && hash.toString('base64') === encoded) return hash;
    throw new Error(`has a ${name} with something that is no hash in base64`);
  });
}
