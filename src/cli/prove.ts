import { lastVersionOf } from '@lib/store/log/log-places';
import type { NoProof } from '../audit/proofs';
import { proveConsistency, proveInclusion } from '../audit/proofs';
import { textOfNoVersion } from '../audit/no-proof';
import { withOperatorPool } from './operator-pool';
import { requireThere } from './removed-history';

const REASONS: Record<Exclude<NoProof, 'no event'>, string> = {
  'no checkpoint': 'nothing has been signed yet: run `research checkpoint`',
  'not in the checkpoint': 'the event is newer than the newest checkpoint: run `research checkpoint`',
};

/** Prints where an event stands in the log, with a proof, as JSON. */
export async function proveInclusionCommand(streamId: string, version: number): Promise<void> {
  print(
    await withOperatorPool(async (pool) => {
      const proof = await proveInclusion(pool, { streamId, version, tenantId: null });
      if (proof !== 'no event') return proof;
      await requireThere(pool, streamId);
      const last = await lastVersionOf(pool, streamId, null);
      throw new Error(last === 0 ? `The database has no stream ${streamId}: correct its name.` : textOfNoVersion(streamId, version, last));
    }),
  );
}

/** Prints a proof that the log of one size is the beginning of that of another, as JSON. */
export async function proveConsistencyCommand(from: number, to: number | undefined): Promise<void> {
  print(await withOperatorPool((pool) => proveConsistency(pool, from, to ?? null)));
}

function print(proof: object | keyof typeof REASONS): void {
  if (typeof proof === 'string') throw new Error(REASONS[proof]);
  process.stdout.write(`${JSON.stringify(proof, null, 2)}\n`);
}
