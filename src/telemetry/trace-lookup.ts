import { batch } from '@lib/batching/batch';

/** Reads the trace that is recorded for each id; ids without a recorded trace are left out. */
export type FindTraces = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const MAX_IDS = 200;
/** Traced work waits no longer than this for its trace id. */
const LOOKUP_WITHIN_MS = 1_000;

/** Batches simultaneous look-ups of traces. Best effort: if the look-up fails, there is no trace. */
export function traceLookup(find: FindTraces): (id: string) => Promise<string | undefined> {
  const ask = batch<string, string | undefined>(
    async (ids) => {
      const found = await find(ids);
      return ids.map((id) => found.get(id));
    },
    { maxItems: MAX_IDS, answerBy: () => performance.now() + LOOKUP_WITHIN_MS },
  );
  return (id) => ask(id).catch(() => undefined);
}
