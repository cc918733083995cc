import { IsInt, Max, Min } from 'class-validator';

/** Requires a whole number between two bounds, both inclusive. The message names the bound that was crossed. */
export const wholeNumber =
  (least: number, most: number) =>
  (target: object, key: string): void => {
    IsInt({ message: `must be a whole number from ${least} to ${most}` })(target, key);
    Min(least, { message: `must be at least ${least}` })(target, key);
    Max(most, { message: `must be at most ${most}` })(target, key);
  };
