import { batch } from '@lib/batching/batch';

/** Finds the trace ids that events record, by the ids asked for; those without a trace are left out. */
export type FindTraces = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const MAX_IDS = 200;
/** Traced work waits no longer than this for its trace. */
const ANSWER_WITHIN_MS = 1_000;

/** Looks up traces in batches. Best effort: if the query fails there is no trace. */
export function traceLookup(find: FindTraces): (id: string) => Promise<string | undefined> {
  const ask = batch<string, string | undefined>(
    async (ids) => {
      const found = await find(ids);
      return ids.map((id) => found.get(id));
    },
    { maxItems: MAX_IDS, answerBy: () => performance.now() + ANSWER_WITHIN_MS },
  );
  return (id) => ask(id).catch(() => undefined);
}
