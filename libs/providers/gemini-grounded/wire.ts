import type { JsonObject } from '@lib/domain/json-object';

/**
 * `models.generateContent` (v1beta), with or without Google Search, as of November 2026: the fields that we send, and those that we
 * read, `unknown` until they are checked.
 */

export interface GenerateContent {
  systemInstruction: { parts: { text: string }[] };
  contents: { role: 'user'; parts: { text: string }[] }[];
  tools?: { googleSearch: object }[];
  generationConfig: {
    maxOutputTokens: number;
    thinkingConfig?: { thinkingLevel: 'low' | 'high' };
    /** `application/json` for an answer that is a JSON document. */
    responseMimeType?: string;
  };
}

export interface GenerateContentResponse extends JsonObject {
  /** A list of `Candidate`, of one. */
  candidates?: unknown;
  /** `{blockReason}`, instead of candidates if the prompt was refused. */
  promptFeedback?: unknown;
  /** A `UsageMetadata`. */
  usageMetadata?: unknown;
  modelVersion?: unknown;
  /** `{code, status, message}`: some gateways answer an error with status 200. */
  error?: unknown;
}

export interface Candidate {
  /** `{parts}`, a list of `ContentPart`. */
  content?: unknown;
  /** `STOP`, `MAX_TOKENS`, or why there is no answer, such as `SAFETY`. */
  finishReason?: unknown;
  /** A `GroundingMetadata`. */
  groundingMetadata?: unknown;
}

export interface ContentPart {
  text?: unknown;
  /** True for reasoning that is not part of the answer. */
  thought?: unknown;
}

export interface GroundingMetadata {
  /** A list of texts: the searches that were made. */
  webSearchQueries?: unknown;
  /** A list of `{web: {uri, title}}`. */
  groundingChunks?: unknown;
  /** A list of `GroundingSupport`. */
  groundingSupports?: unknown;
}

export interface GroundingSupport {
  /**
   * `{partIndex, startIndex, endIndex, text}`, in bytes of the UTF-8 text of a part. The end is exclusive. A start of 0 is left out; the part's
   * number is sometimes left out even if it is not 0 (googleapis/python-genai#961).
   */
  segment?: unknown;
  /** A list of positions in `groundingChunks`. */
  groundingChunkIndices?: unknown;
}

export interface UsageMetadata {
  /** Includes cached tokens. */
  promptTokenCount?: unknown;
  cachedContentTokenCount?: unknown;
  /** Tokens that tools add to the prompt; billed as input, on top of the above. */
  toolUsePromptTokenCount?: unknown;
  /** Excludes the thoughts, which are billed as output too. */
  candidatesTokenCount?: unknown;
  thoughtsTokenCount?: unknown;
  /** The sum of all these counts. */
  totalTokenCount?: unknown;
}
