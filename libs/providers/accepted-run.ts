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

/** The error for an answer to a poll that says nothing about the run. The run may still go on, so it is polled again and not paid for again. */
export function noStateOf(externalId: string, answer: JsonObject): ProviderError {
  const said = saidOfRun(answer);
  return new ProviderError(
    'malformed',
    `The answer does not say how the run ${externalId.slice(0, 60)} stands${said === '' ? '' : `: ${said}`}`,
  );
}

/** The status that an answer about a run tells, or else the error; empty if it tells neither. */
export const saidOfRun = ({ status, error }: JsonObject): string =>
  excerptOf(textIn(status) ?? textIn(objectIn(error).message) ?? textIn(error) ?? '');

/**
 * Gateways may give a run another id in each answer, so an answer that names our step is about its run even with another id.
 * @throws ProviderError if a poll was answered with another run, whose report and charge are not this one's
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
