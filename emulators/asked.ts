export interface Usage {
  /** All input, including cached tokens. */
  inputTokens: number;
  cachedTokens: number;
  /** All output, including reasoning. */
  outputTokens: number;
  reasoningTokens: number;
  searches: number;
}

/** The parts of a submit that an emulator acts on. */
export interface Asked {
  /** The text with the question, which may hold directives such as `[[emulate:refusal]]`. */
  question: string;
  model: string | null;
  /** From the API's metadata; null if the API has no such field. */
  stepId: string | null;
  /** Hard limits of the request; undefined if it set none. */
  maxOutputTokens?: number;
  maxSearches?: number;
  /** The client waits for the result instead of polling for it. */
  isSynchronous?: true;
  /** Id of the paused run that the request continues. */
  continues?: string;
}
