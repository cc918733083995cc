import { keyFromBase64 } from './env-values';

/** A witness that cosigns checkpoints: its verifier key in the form that it publishes, and its base URL. */
export interface WitnessSetting {
  key: string;
  url: string;
}

const MAX_KEYS = 4;
const MAX_WITNESSES = 16;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const VERIFIER_KEY = /^[^\s+,]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}$/;

/** Several keys sign each checkpoint together, so that clients that know the old key learn the new one. */
export function parseCheckpointKeys(text: string): Buffer[] {
  const given = text.split(',').map((part) => part.trim());
  const keys = given.map(keyFromBase64).filter((key) => key !== null);
  if (given.length > MAX_KEYS || keys.length < given.length || new Set(given).size < given.length) {
    throw new Error(
      `must be 32 bytes in base64, for instance from \`openssl rand -base64 32\`; up to ${MAX_KEYS} different ones, separated by commas, while keys change`,
    );
  }
  return keys;
}

export function parseWitnesses(text: string): WitnessSetting[] {
  const witnesses = text.split(',').map((part) => part.trim().split(/\s+/));
  if (witnesses.length > MAX_WITNESSES || !witnesses.every(isWitness)) {
    throw new Error(
      `must be at most ${MAX_WITNESSES} witnesses, separated by commas: each its verifier key, a space, and its address, which starts with https:// (http:// on this machine)`,
    );
  }
  return witnesses.map(([key = '', url = '']) => ({ key, url: url.replace(/\/+$/, '') }));
}

function isWitness([key = '', address = '', ...more]: string[]): boolean {
  const url = URL.parse(address);
  if (more.length > 0 || !VERIFIER_KEY.test(key) || url === null || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}
