import { validateSync } from 'class-validator';

import { isSecretName, printable, type SettingsProblem } from './settings-error';

/**
 * Turns plain data into an instance of a class with class-validator decorators. Unknown properties are problems. A property whose initial
 * value is an instance of another class, such as `prices = new Prices()`, is validated by that class.
 * @param path position of the data in its file, for messages; empty for the whole file
 * @returns undefined if it added problems
 */
export function validated<Settings extends object>(
  Type: new () => Settings,
  plain: unknown,
  path: string,
  problems: SettingsProblem[],
): Settings | undefined {
  if (!isMapping(plain)) {
    problems.push({ name: path || 'The file', value: found(plain), remedy: 'must be a mapping' });
    return undefined;
  }
  const before = problems.length;
  const pathOf = (property: string): string => (path ? `${path}.${property}` : property);
  const settings = Object.assign(new Type(), plain);
  const errors = validateSync(settings, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  for (const { property, value, constraints = {} } of errors) {
    const isUnknown = 'whitelistValidation' in constraints;
    const remedy = isUnknown ? 'is not a known setting; remove it' : Object.values(constraints).join('; ');
    problems.push({ name: pathOf(property), value: isUnknown && isSecretName(property) ? null : found(value), remedy });
  }
  const given = new Map<string, unknown>(Object.entries(plain));
  for (const [property, initial] of Object.entries(new Type()) as [string, unknown][]) {
    const Section = sectionClass(initial);
    if (Section) Object.assign(settings, { [property]: validated(Section, given.get(property), pathOf(property), problems) });
  }
  return problems.length === before ? settings : undefined;
}

function sectionClass(initial: unknown): (new () => object) | undefined {
  if (!isMapping(initial) || initial.constructor === Object) return undefined;
  return initial.constructor as new () => object;
}

export function isMapping(plain: unknown): plain is object {
  return plain !== null && typeof plain === 'object' && !Array.isArray(plain);
}

/** A value as messages show it. */
export function found(value: unknown): string {
  return value === undefined ? 'missing' : printable(value);
}
