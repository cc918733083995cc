/** The environment variable that holds the key of an API. */
export interface KeyVariable {
  readonly name: string;
  /** Set if the API can also be called without a key. */
  readonly optional?: true;
}
