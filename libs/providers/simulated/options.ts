import { Allow, IsBoolean, IsIn, IsNumber, IsOptional, IsString, Max, Min, MinLength, ValidateIf } from 'class-validator';

import { ERROR_CLASSES, type ErrorClass } from '@lib/domain/vocabulary';
import { wholeNumber } from '@lib/validation/whole-number';

/** For a setting that may be left out but must not be null. */
const Optional = () => ValidateIf((_, value) => value !== undefined);

const count = (most: number) => (target: object, key: string) => {
  Optional()(target, key);
  wholeNumber(0, most)(target, key);
};

/** For load and fault tests. */
export class SimulatedOptions {
  /** How long a run takes. */
  @count(3_600_000)
  latencyMs = 0;

  /** Approximate length of a report's Markdown. */
  @count(10_000_000)
  reportBytes = 2000;

  /** Sources per report. */
  @count(5000)
  citations = 5;

  /** The charge that a run reports. */
  @count(1_000_000)
  costCents = 0;

  /** If above 0, a run charges its reservation plus this much, and `costCents` is ignored. */
  @count(1_000_000)
  overrunCents = 0;

  /** Share of the runs that fail. Seed, step and attempt decide which. */
  @Optional()
  @IsNumber({}, { message: 'must be a number from 0 to 1' })
  @Min(0, { message: 'must be at least 0' })
  @Max(1, { message: 'must be at most 1' })
  failureRate = 0;

  @Optional()
  @IsIn(ERROR_CLASSES, { message: `must be one of ${ERROR_CLASSES.join(', ')}` })
  failureClass: ErrorClass = 'unavailable';

  /** Other seeds give other reports and other failures. */
  @count(Number.MAX_SAFE_INTEGER)
  seed = 0;

  /** Runs get an id and survive the process that started them, as with a background API. */
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  background = false;

  /** File that gets a line for each submit and cancel, written to disk before the call proceeds. */
  @Allow()
  @IsOptional()
  @IsString({ message: 'must be the path of a file' })
  @MinLength(1, { message: 'must be the path of a file' })
  ledgerFile: string | null = null;

  /**
   * Folder of recorded reports to answer with instead of invented ones, absolute or below the working folder:
   * `<provider id>/<first 16 hex digits of the SHA-256 of the query>.md`, each with its sources in a reference list.
   */
  @Allow()
  @IsOptional()
  @IsString({ message: 'must be the path of a folder' })
  @MinLength(1, { message: 'must be the path of a folder' })
  reports: string | null = null;
}
