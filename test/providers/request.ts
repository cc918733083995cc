import type { ResearchRequest } from '@lib/providers/research-provider';

/** A request with generous limits, of which a test changes what it is about. */
export function requestOf(changes: Partial<ResearchRequest> = {}): ResearchRequest {
  return {
    stepId: 'stp_01k9',
    attempt: 1,
    provider: 'provider-a',
    model: null,
    query: 'How does Wren rotate its log files?',
    brief: null,
    context: null,
    mode: 'fast',
    limits: { reservedMicros: 0, deadlineMs: 60_000, maxResponseBytes: 4_000_000 },
    signal: new AbortController().signal,
    ...changes,
  };
}

export const withDeadline = (deadlineMs: number): Pick<ResearchRequest, 'limits'> => ({
  limits: { reservedMicros: 0, deadlineMs, maxResponseBytes: 4_000_000 },
});

/** For runs that record no id. */
export const newRun = { externalId: null, started: async (): Promise<void> => undefined };
