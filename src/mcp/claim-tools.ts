import { z } from 'zod';

import { CONFIDENCES } from '@lib/domain/vocabulary';
import type { ClaimDetailView, ClaimListView } from '@lib/store/views/claim.view';
import { counted } from '@lib/synthesis/report/wording';
import { claimId, cursor, jobId, limit, offset, threadId } from './arguments';
import { answerOf } from './service-client';
import { claimText, evidenceText } from './texts';
import { READS, tool } from './tool';

const CLAIM_OUTPUT = { id: z.string(), jobId: z.string(), content: z.string(), confidenceLevel: z.string() };

const claims = tool({
  name: 'claims',
  title: 'Search claims',
  description:
    'Lists what completed jobs claim, each with its confidence and who supports or contradicts it: of one job, of one thread or of the ' +
    'newest hundred jobs. Call evidence with a claim id for the exact quotes and sources.',
  input: z.strictObject({
    query: z.string().min(1).max(500).optional().describe('Words that the claim has.'),
    jobId: jobId.optional(),
    threadId: threadId.optional(),
    confidenceLevel: z.enum(CONFIDENCES).optional(),
    limit,
    offset,
    cursor,
  }),
  output: z.looseObject({ claims: z.array(z.looseObject(CLAIM_OUTPUT)), total: z.number() }),
  annotations: READS,
  run: async (query, { send }) => {
    const list = await answerOf<ClaimListView>(send, { method: 'GET', path: '/v1/claims', query });
    const more = list.nextCursor === null ? [] : [`More: call claims with the same arguments, no offset and cursor ${list.nextCursor}.`];
    const older = list.isCut ? ['Older jobs were not searched: go on with the cursor, or name a job or a thread.'] : [];
    const head = `${list.claims.length} of ${counted(list.total, 'claim')}, from ${counted(list.jobsSearched, 'completed job')}:`;
    return { text: [head, ...list.claims.map(claimText), ...more, ...older].join('\n'), data: { ...list } };
  },
});

const evidence = tool({
  name: 'evidence',
  title: 'Evidence of a claim',
  description: 'Returns what each provider says for and against one claim: the exact quote and the sources it cites.',
  input: z.strictObject({ claimId }),
  output: z.looseObject({ ...CLAIM_OUTPUT, evidence: z.array(z.looseObject({ relation: z.string(), quote: z.string() })) }),
  annotations: READS,
  run: async ({ claimId }, { send }) => {
    const claim = await answerOf<ClaimDetailView>(send, { method: 'GET', path: `/v1/claims/${claimId}` });
    return { text: evidenceText(claim), data: { ...claim } };
  },
});

export const CLAIM_TOOLS = [claims, evidence];
