import { validateSync } from 'class-validator';

import { printable, type SettingsProblem } from './settings-error';

/**
 * Plain data as an instance of a class with class-validator decorators; a property that the class does not know is a problem.
 * @param path where the data stands in its file, for the problems; empty for the whole file
 * @returns undefined if it added problems
 */
export function validated<Settings extends object>(
  Type: new () => Settings,
  plain: unknown,
  path: string,
  problems: SettingsProblem[],
): Settings | undefined {
  if (plain === null || typeof plain !== 'object' || Array.isArray(plain)) {
    problems.push({ name: path || 'The file', value: found(plain), remedy: 'must be a mapping' });
    return undefined;
  }
  const settings = Object.assign(new Type(), plain);
  const errors = validateSync(settings, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  for (const { property, value, constraints = {} } of errors) {
    const remedy = 'whitelistValidation' in constraints ? 'is not a known setting; remove it' : Object.values(constraints).join('; ');
    problems.push({ name: path ? `${path}.${property}` : property, value: found(value), remedy });
  }
  return errors.length === 0 ? settings : undefined;
}

function found(value: unknown): string {
  return value === undefined ? 'missing' : printable(value);
}
