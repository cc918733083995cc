import type {
  ProviderError,
  RawResponse,
  ResearchProvider,
  ResearchReport,
  ResearchRequest,
  RunState,
} from '@lib/providers/research-provider';
import { Arrivals } from '../messaging/arrivals';

/** A call that the provider got, and what the test lets come of it. */
export interface ProviderCall {
  request: ResearchRequest;
  /** Of a poll: the run that is asked about. */
  externalId: string | null;
  /** Tells the run's id, as an API does that works in the background; resolves once it is recorded. */
  started: (externalId: string) => Promise<void>;
  /** The run goes on; it is asked about again at once. */
  goOn: (externalId: string) => void;
  finish: (report?: Partial<ResearchReport>) => void;
  fail: (error: ProviderError) => void;
}

/** A provider that answers when the test says so, and counts what it would be paid for. */
export class ControlledProvider implements ResearchProvider {
  readonly submits = new Arrivals<ProviderCall>();
  readonly polls = new Arrivals<ProviderCall>();
  readonly cancels = new Arrivals<string>();
  /** Submits so far, whoever has awaited them. */
  paid = 0;

  submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    this.paid += 1;
    return this.call(this.submits, request, null, started);
  }

  poll(externalId: string, request: ResearchRequest): Promise<RunState> {
    return this.call(this.polls, request, externalId, () => Promise.reject(new Error('a poll starts nothing')));
  }

  async cancel(externalId: string): Promise<void> {
    this.cancels.push(externalId);
  }

  parse(raw: RawResponse): ResearchReport {
    return JSON.parse(raw) as ResearchReport;
  }

  private call(
    arrivals: Arrivals<ProviderCall>,
    request: ResearchRequest,
    externalId: string | null,
    started: ProviderCall['started'],
  ): Promise<RunState> {
    return new Promise((resolve, reject) => {
      arrivals.push({
        ...{ request, externalId, started },
        goOn: (id) => resolve({ state: 'running', externalId: id, pollAfterMs: 0 }),
        finish: (report) => resolve({ state: 'finished', raw: JSON.stringify({ ...REPORT, ...report }) }),
        fail: reject,
      });
    });
  }
}

const REPORT: ResearchReport = {
  markdown: 'The bridge was opened in 1932 [1].',
  citations: [
    {
      ...{ index: 1, url: 'https://example.org/bridge', title: 'The bridge', snippet: 'opened in 1932' },
      ...{ startIndex: null, endIndex: null, publishedAt: null, domain: 'example.org' },
    },
  ],
  charge: { micros: 10_000, provenance: 'reported' },
  model: 'controlled-1',
};
