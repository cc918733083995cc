import { batch } from '@lib/batching/batch';

/** Reads the traces that events record, by what they are asked for; what records none is left out. */
export type FindTraces = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const MAX_IDS = 200;
/** What is traced waits no longer for its trace. */
const ANSWER_WITHIN_MS = 1_000;

/** Traces that are wanted at the same time are asked for together. Best effort: where the question fails there is none. */
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
