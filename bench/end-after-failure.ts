import { messageOfError } from '@lib/domain/message-of-error';

/** For the `catch` of a program: says what went wrong, and ends with 1 once what is still running has ended. */
export function endAfterFailure(error: unknown): void {
  process.stderr.write(`${messageOfError(error)}\n`);
  process.exitCode = 1;
}
