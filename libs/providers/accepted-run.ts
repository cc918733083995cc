import type { JsonObject } from '@lib/domain/json-object';
import { failureFromWords, wordsOf } from './ended-run';
import { excerptOf } from './excerpt';
import { objectIn, textIn } from './json';
import { ProviderError } from './research-provider';

/** The id of a run that was just accepted. @throws ProviderError if there is none; its class follows an error that a gateway sent with status 200 */
export function acceptedId({ id, error }: JsonObject): string {
  const given = textIn(id);
  if (given !== null) return given;
  if (error) throw failureFromWords(wordsOf(error));
  throw new ProviderError('malformed', 'The provider accepted the run but returned no id');
}

/** The error for a poll whose answer has no status. The run may go on, so it is polled again rather than paid for again. */
export function noStateOf(externalId: string, { status, error }: JsonObject): ProviderError {
  const said = textIn(status) ?? textIn(objectIn(error).message) ?? textIn(error);
  const words = said === null ? '' : `: ${excerptOf(said)}`;
  return new ProviderError('malformed', `The answer does not say how the run ${externalId.slice(0, 60)} stands${words}`);
}

/**
 * Checks that a poll's answer is about this run. Some gateways change the id in each answer, so the step id counts too.
 * @throws ProviderError if it is about another run, whose report and charge must not be recorded for this one
 */
export function requireSameRun(externalId: string, stepId: string, { id, metadata, labels }: JsonObject): void {
  const told = textIn(id);
  if (told === null || told === externalId) return;
  if (objectIn(metadata).stepId === stepId || objectIn(labels).step === stepId) return;
  const [asked, answered] = [externalId, told].map((text) => excerptOf(text));
  throw new ProviderError(
    'malformed',
    `The answer is about the run ${answered}, and ${asked} was asked for: a cache or gateway before the API mixes them up`,
  );
}
