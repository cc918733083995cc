import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from './research-provider';

/** An API that answers in the call itself: its runs have no id, so an interrupted one is lost. */
export abstract class SingleCall implements ResearchProvider {
  abstract submit(request: ResearchRequest): Promise<RunState>;
  abstract check(model: string | null, signal: AbortSignal): Promise<Date | null>;
  abstract parse(raw: RawResponse, request: ResearchRequest): ResearchReport;

  async poll(externalId: string): Promise<RunState> {
    throw new ProviderError('lost', `Runs of this API cannot be resumed, so nothing is known of ${externalId}`, { runEnded: true });
  }

  /** There is no run to stop: aborting the call closes its connection. */
  async cancel(): Promise<'not_offered'> {
    return 'not_offered';
  }
}
