import { createLogger } from '../api/logging';
import { SettingsError } from '@lib/settings/settings-error';
import { endLogged } from './hanging-files';
import { framesOf } from './stack-frames';

/** A start that fails is one line of the log like every other, whatever LOG_LEVEL says; then the process ends with 1. */
export function endAfterFailedStart(error: unknown): void {
  const logger = createLogger('fatal');
  const { name = typeof error, message = String(error) } = error instanceof Error ? error : {};
  const code = (error as { code?: unknown } | null)?.code;
  // A settings error explains itself; for any other error the place where it was thrown may help.
  const problems = error instanceof SettingsError ? { problems: error.problems } : { stack: framesOf(error) };
  logger.fatal({ reason: 'start_failed', errorName: name, errorCode: code, ...problems }, message);
  endLogged(logger, 1);
}
