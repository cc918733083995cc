import { setTimeout as sleep } from 'node:timers/promises';

import { isJsonObject } from '@lib/domain/json-object';
import { messageOfError } from '@lib/domain/message-of-error';
import type { Charge } from '@lib/domain/money';
import { cancelRun } from '../cancel-run';
import { createHttp, pathSegment, type ProviderHttp } from '../http';
import { acceptedId, noStateOf, requireSameRun } from '../accepted-run';
import { parseObject, textIn } from '../json';
import { PatientPoll } from '../patient-poll';
import { patientSignal } from '../patient-signal';
import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '../research-provider';
import { endedRun } from '../ended-run';
import type { GeminiOptions } from './options';
import { chargeOf, parseInteraction } from './parse';
import { createInteraction } from './request';
import type { Interaction } from './wire';

const OVER: readonly unknown[] = ['completed', 'failed', 'cancelled', 'incomplete', 'budget_exceeded', 'requires_action'];

/**
 * Gemini deep research through the Interactions API: background runs that are polled and can be cancelled. Plain HTTP, because a
 * submit must be sent exactly once and Google's SDK retries by itself.
 */
export class GeminiProvider implements ResearchProvider {
  private readonly http: ProviderHttp;
  private readonly polls: PatientPoll;

  constructor(
    private readonly options: GeminiOptions,
    key: string,
  ) {
    this.http = createHttp({ baseUrl: options.baseUrl, headers: { 'x-goog-api-key': key }, headersTimeoutMs: 60_000 });
    this.polls = new PatientPoll(options.pollMs, (externalId) => this.cancel(externalId));
  }

  async submit(request: ResearchRequest, started: (externalId: string) => Promise<void>): Promise<RunState> {
    const raw = await this.http.post('/interactions', createInteraction(request), patientSignal(request.signal));
    const interaction: Interaction = parseObject(raw);
    const id = acceptedId(interaction);
    await started(id);
    return this.stateOf(id, raw, interaction, request);
  }

  async poll(externalId: string, request: ResearchRequest): Promise<RunState> {
    const { pollMs } = this.options;
    return this.polls.poll(externalId, async () => {
      const { raw, interaction } = await this.look(externalId, request);
      if (!isOver(interaction) || isJsonObject(interaction.usage)) return this.stateOf(externalId, raw, interaction, request);
      // Usage can be missing at first (enricoros/big-AGI#1143). The charge depends on it, so poll once more.
      await sleep(pollMs, undefined, { signal: request.signal });
      const second = await this.look(externalId, request);
      return this.stateOf(externalId, second.raw, second.interaction, request);
    });
  }

  async cancel(externalId: string): Promise<void> {
    await cancelRun(this.http, pathOf(externalId), isOver);
  }

  /** Lists models instead of asking for one: it is not documented whether deep-research agents are among the models. */
  async check(_model: string | null, signal: AbortSignal): Promise<Date | null> {
    return this.http.probe('/models?pageSize=1', signal);
  }

  parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseInteraction(raw, this.options.prices, request.limits.reservedMicros);
  }

  private async look(externalId: string, { signal, stepId }: ResearchRequest): Promise<{ raw: RawResponse; interaction: Interaction }> {
    const raw = await this.http.get(pathOf(externalId), signal);
    const interaction: Interaction = parseObject(raw);
    requireSameRun(externalId, stepId, interaction);
    if (textIn(interaction.status) === null) throw noStateOf(externalId, interaction);
    return { raw, interaction };
  }

  private async stateOf(id: string, raw: RawResponse, interaction: Interaction, { limits }: ResearchRequest): Promise<RunState> {
    if (isOver(interaction)) {
      if (interaction.status === 'requires_action') await this.cancel(id);
      return { state: 'finished', raw };
    }
    const charge = chargeOf(interaction, this.options.prices, 0);
    if (charge.micros > limits.reservedMicros) throw await this.stopOverspent(id, charge, limits.reservedMicros);
    return { state: 'running', externalId: id, pollAfterMs: this.options.pollMs };
  }

  /** Stops a run that costs more than was reserved and returns its failure. If stopping fails, the run is not over, so the agenda asks again. */
  private async stopOverspent(id: string, charge: Charge, reservedMicros: number): Promise<ProviderError> {
    const excess = `had cost ${charge.micros} micro-dollars, more than the ${reservedMicros} reserved`;
    try {
      await this.cancel(id);
    } catch (error) {
      const why = messageOfError(error);
      return new ProviderError('quota', `The run ${excess}, and could not be stopped: ${why}`, {}, { cause: error });
    }
    return endedRun('quota', `The run was stopped when it ${excess}`, charge);
  }
}

const isOver = ({ status }: Interaction): boolean => OVER.includes(status);

const pathOf = (externalId: string): string => `/interactions/${pathSegment(externalId)}`;
