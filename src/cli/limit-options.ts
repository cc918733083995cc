import { InvalidArgumentError, type Command } from 'commander';
import { MAX_LIMITS, leastLimit, LIMIT_NAMES, type LimitChanges, type LimitName } from '@lib/domain/limits';
import { isLimit } from '@lib/settings/limits';

/** Word that may replace a number. It stays a word until `changeOf`, because Commander turns null and undefined into an empty text. */
const AS_SET = 'default';
export const UNLIMITED = 'none';

export type LimitOptions = { [Name in LimitName]?: number | typeof UNLIMITED | typeof AS_SET };

const limitValue =
  (name: LimitName) =>
  (text: string): LimitOptions[LimitName] => {
    if (text === UNLIMITED || text === AS_SET) return text;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (isLimit(name, value)) return value;
    throw new InvalidArgumentError(
      `must be a whole number from ${leastLimit(name)} to ${MAX_LIMITS[name]}, ${UNLIMITED} for no limit, or ${AS_SET} for that of the settings`,
    );
  };

export const addLimitOptions = (command: Command): Command =>
  command
    .option('--requests-per-minute <number>', 'requests a minute, on the long run', limitValue('requestsPerMinute'))
    .option('--burst <number>', 'requests at once after a while without any', limitValue('burst'))
    .option('--open-jobs <number>', 'jobs that are not final', limitValue('openJobs'))
    .option('--warning-cents <cents>', 'what the jobs of a day may cost until answers warn of it', limitValue('warningCents'))
    .option('--daily-cents <cents>', 'what the jobs of a day may cost', limitValue('dailyCents'));

/** Those that were named: null for no limit, undefined for that of the settings. */
export const limitChanges = (options: LimitOptions): LimitChanges =>
  Object.fromEntries(LIMIT_NAMES.filter((name) => name in options).map((name) => [name, changeOf(options[name])]));

const changeOf = (value: LimitOptions[LimitName]): number | null | undefined =>
  value === UNLIMITED ? null : value === AS_SET ? undefined : value;
