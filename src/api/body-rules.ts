import { codePoints } from '@lib/domain/code-points';
import { getMetadataStorage, ValidateBy, ValidateIf, ValidationTypes } from 'class-validator';

import { isBlank } from '@lib/domain/blank';
import { MAX_MESSAGE_CODE_POINTS, PROVIDERS } from '@lib/domain/vocabulary';
import { quoted } from './quoted';

/** What is wrong with a property's value; `at` is the pointer below the property, empty for the value itself. */
export interface Fault {
  at: string;
  code: string;
  /** Completes the sentence that begins with the property's name. */
  message: string;
}
/** Says everything that is wrong with a value; nothing if it is right. */
export type Rule = (value: unknown) => Fault[];

/** The property may be absent. Null is a value like any other: class-validator's own `@IsOptional` lets it pass. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Text of 1 to 32,000 code points that is not blank and can be stored. */
export const ResearchText = (): PropertyDecorator => follows('researchText', researchText);

export const OneOf = (values: readonly string[]): PropertyDecorator => follows('oneOf', oneOf(values));

export const Flag = (): PropertyDecorator => follows('flag', flag);

/** 1 to 8 different providers. Aliases have been resolved by then. */
export const ProviderList = (): PropertyDecorator => follows('providerList', providerList);

/** The rule stands among the constraints, where `rulesOf` finds it: an error of class-validator says less than the rule does. */
export function follows(name: string, rule: Rule): PropertyDecorator {
  return ValidateBy({ name, constraints: [rule], validator: { validate: (value) => rule(value).length === 0 } });
}

/** The rule of each property of a body's class, which an absent property that may be absent does not break. */
export function rulesOf(bodyClass: new () => object): ReadonlyMap<string, Rule> {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(bodyClass, '', true, false);
  const ofType = (wanted: string) => metadata.filter(({ type }) => type === wanted);
  const optional = new Set(ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(({ propertyName }) => propertyName));
  return new Map(
    ofType(ValidationTypes.CUSTOM_VALIDATION).map(({ propertyName, constraints }) => {
      const [rule] = constraints as [Rule];
      return [propertyName, optional.has(propertyName) ? (value) => (value === undefined ? [] : rule(value)) : rule];
    }),
  );
}

/** In a regular expression with the flag u, a pair is one code point, so only half a pair is a surrogate. */

export const fault = (code: string, message: string, at = ''): Fault => ({ at, code, message });

function researchText(value: unknown): Fault[] {
  if (value === undefined) return [fault('required', 'is required: send the text as a string.')];
  if (typeof value !== 'string') return [fault('invalid_type', `must be a string, not ${typeOf(value)}.`)];
  const faults: Fault[] = [];
  if (isBlank(value)) faults.push(fault('blank', 'must not be blank: send some text.'));
  const length = codePoints(value);
  if (length > MAX_MESSAGE_CODE_POINTS)
    faults.push(fault('too_long', `has ${length} code points: send at most ${MAX_MESSAGE_CODE_POINTS}.`));
  return [...faults, ...unstorable(value)];
}

/** PostgreSQL stores neither. */
export function unstorable(text: string): Fault[] {
  const faults: Fault[] = [];
  if (text.includes('\0')) faults.push(fault('invalid_character', 'contains the character NUL (U+0000): remove it.'));
  if (!text.isWellFormed()) faults.push(fault('invalid_character', 'contains a lone surrogate, which is half a character: remove it.'));
  return faults;
}

export function oneOf(values: readonly string[]): Rule {
  const choice = `one of ${values.join(', ')}`;
  return (value) => {
    if (typeof value !== 'string') return [fault('invalid_type', `must be ${choice}, not ${typeOf(value)}.`)];
    return values.includes(value) ? [] : [fault('not_allowed', `must be ${choice}, not ${quoted(value)}.`)];
  };
}

function flag(value: unknown): Fault[] {
  return typeof value === 'boolean' ? [] : [fault('invalid_type', `must be true or false, not ${typeOf(value)}.`)];
}

function providerList(value: unknown): Fault[] {
  if (!Array.isArray(value)) return [fault('invalid_type', `must be a list of provider identifiers, not ${typeOf(value)}.`)];
  if (value.length === 0) return [fault('empty', 'must not be empty: name a provider, or leave the property out for the default ones.')];
  if (value.length > PROVIDERS.length) return [fault('too_many', `names ${value.length} providers: name at most ${PROVIDERS.length}.`)];
  const known = oneOf(PROVIDERS);
  return value.flatMap((provider: unknown, index) => {
    const at = `/${index}`;
    const faults = known(provider).map((found) => ({ ...found, at }));
    const isDuplicate = faults.length === 0 && value.indexOf(provider) < index;
    return isDuplicate ? [fault('duplicate', `repeats ${String(provider)}: name each provider once.`, at)] : faults;
  });
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
