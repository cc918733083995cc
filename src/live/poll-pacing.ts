/** The pace at which the contract has clients poll: after 5 seconds, then 1.5 times as long each time, at most 30. */
const FIRST_SECONDS = 5;
const FACTOR = 1.5;
const MAX_SECONDS = 30;

/** How long a client waits that began to poll when the job was created. */
export function retryAfterSeconds(ageMs: number): number {
  let pause = FIRST_SECONDS;
  for (let polledAt = pause; polledAt * 1000 <= ageMs && pause < MAX_SECONDS; polledAt += pause) {
    pause = Math.min(pause * FACTOR, MAX_SECONDS);
  }
  return Math.ceil(pause);
}
