import { createHttp, type ProviderHttp } from '../http';

/** The answer of `generateContent` arrives in one piece once it is complete. Callers have deadlines of their own. */
const MAX_ANSWER_MS = 30 * 60_000;

export const generateContentHttp = (baseUrl: string, key: string): ProviderHttp =>
  createHttp({ baseUrl, headers: { 'x-goog-api-key': key }, headersTimeoutMs: MAX_ANSWER_MS });
