import { endsWithin } from '../runtime/in-time';

const MAX_MS = 1_000;

/** Waits for something to close, but only briefly: work left over by the drain may never end. */
export async function closeBriefly(closed: Promise<unknown>): Promise<void> {
  await endsWithin(closed, MAX_MS);
}
