/** The polling pace of the contract: first after 5 seconds, then 1.5 times as long each time, at most 30 seconds. */
const FIRST_SECONDS = 5;
const FACTOR = 1.5;
const MAX_SECONDS = 30;

/** The next pause of a client that has polled since the job was created. */
export function retryAfterSeconds(ageMs: number): number {
  let pause = FIRST_SECONDS;
  for (let polledAt = pause; polledAt * 1000 <= ageMs && pause < MAX_SECONDS; polledAt += pause) {
    pause = Math.min(pause * FACTOR, MAX_SECONDS);
  }
  return Math.ceil(pause);
}
