import { failureFromWords } from './ended-run';
import { excerptOf } from './excerpt';
import { objectIn, textIn, type JsonObject } from './json';
import { ProviderError, type RawResponse } from './research-provider';

/** The id of a run that was just accepted. @throws ProviderError if there is none, by the error that a gateway answers with status 200 */
export function acceptedId({ id, error }: JsonObject): string {
  const given = textIn(id);
  if (given !== null) return given;
  const { code, type, status, message } = objectIn(error);
  if (error) throw failureFromWords([code ?? type ?? status, message ?? textIn(error)]);
  throw new ProviderError('malformed', 'The provider accepted the run but returned no id');
}

/** An answer to a poll that says nothing of the run, which therefore may go on: it is asked for again and not paid for again. */
export function noStateOf(externalId: string, raw: RawResponse): ProviderError {
  const said = excerptOf(raw.slice(0, LONGEST_ANSWER));
  return new ProviderError('malformed', `The provider does not say how the run ${externalId.slice(0, 60)} stands, but: ${said}`);
}

const LONGEST_ANSWER = 1000;
