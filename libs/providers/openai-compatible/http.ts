import { createHttp, type ProviderHttp } from '../http';

/** A local model may think for many minutes before its answer arrives in one piece. Callers have deadlines of their own. */
const MAX_ANSWER_MS = 60 * 60_000;

/** @param key null for a server that needs none */
export const openAiCompatibleHttp = (baseUrl: string, key: string | null): ProviderHttp =>
  createHttp({ baseUrl, headers: key === null ? {} : { authorization: `Bearer ${key}` }, headersTimeoutMs: MAX_ANSWER_MS });
