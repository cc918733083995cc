import { createHttp, type ProviderHttp } from '../http';

/** Pings show that a stream is alive, so a silence of two minutes means that it is not. */
const MAX_SILENCE_MS = 120_000;

export const anthropicHttp = (baseUrl: string, key: string): ProviderHttp =>
  createHttp({
    baseUrl,
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    headersTimeoutMs: MAX_SILENCE_MS,
    bodyTimeoutMs: MAX_SILENCE_MS,
  });
