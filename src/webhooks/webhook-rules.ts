import { codePoints } from '@lib/domain/code-points';
import { WEBHOOK_EVENT_TYPES } from '@lib/domain/webhook';
import { fault, follows, oneOf, typeOf, unstorable, type Fault } from '../api/body-rules';
import { MAX_URL_LENGTH } from './webhook-url';

export const MAX_DESCRIPTION_LENGTH = 200;

/** Text that may be a URL; whether events can be delivered to it depends on the settings of the process. */
export const UrlText = (): PropertyDecorator => follows('urlText', urlText);

export const Description = (): PropertyDecorator => follows('description', description);

/** Different events, at least one. */
export const EventTypeList = (): PropertyDecorator => follows('eventTypeList', eventTypeList);

function urlText(value: unknown): Fault[] {
  if (value === undefined) return [fault('required', 'is required: send the URL as a string.')];
  if (typeof value !== 'string') return [fault('invalid_type', `must be a string, not ${typeOf(value)}.`)];
  const length = codePoints(value);
  if (length > MAX_URL_LENGTH) return [fault('too_long', `has ${length} characters: send at most ${MAX_URL_LENGTH}.`)];
  return unstorable(value);
}

function description(value: unknown): Fault[] {
  if (typeof value !== 'string') return [fault('invalid_type', `must be a string, not ${typeOf(value)}.`)];
  const length = codePoints(value);
  if (length > MAX_DESCRIPTION_LENGTH) return [fault('too_long', `has ${length} characters: send at most ${MAX_DESCRIPTION_LENGTH}.`)];
  return unstorable(value);
}

function eventTypeList(value: unknown): Fault[] {
  const known = oneOf(WEBHOOK_EVENT_TYPES);
  if (value === undefined) return [fault('required', `is required: list some of ${WEBHOOK_EVENT_TYPES.join(', ')}.`)];
  if (!Array.isArray(value)) return [fault('invalid_type', `must be a list of event types, not ${typeOf(value)}.`)];
  if (value.length === 0) return [fault('empty', `must not be empty: list some of ${WEBHOOK_EVENT_TYPES.join(', ')}.`)];
  if (value.length > WEBHOOK_EVENT_TYPES.length)
    return [fault('too_many', `lists ${value.length} types: there are ${WEBHOOK_EVENT_TYPES.length}.`)];
  return value.flatMap((type: unknown, index) => {
    const at = `/${index}`;
    const faults = known(type).map((found) => ({ ...found, at }));
    const isDuplicate = faults.length === 0 && value.indexOf(type) < index;
    return isDuplicate ? [fault('duplicate', `repeats ${String(type)}: list each type once.`, at)] : faults;
  });
}
