/** What a run used up. */
export interface Usage {
  /** All input, the cached part included. */
  inputTokens: number;
  cachedTokens: number;
  /** All output, the reasoning included. */
  outputTokens: number;
  reasoningTokens: number;
  searches: number;
}

/** What a submit asked for, as far as an emulator acts on it. */
export interface Asked {
  /** The text that holds the question; directives such as `[[emulate:refusal]]` are read out of it. */
  question: string;
  model: string | null;
  /** From the API's metadata; null where it has no place for it. */
  stepId: string | null;
  /** Hard limits of the request; undefined where it set none. */
  maxOutputTokens?: number;
  maxSearches?: number;
  /** The client waits for the result, though the API could tell it later. */
  isSynchronous?: true;
  /** Of a run whose answer the client sends back to have it continued: that run's id. */
  continues?: string;
}
