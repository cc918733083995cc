import { IsInt, Max, Min } from 'class-validator';

/** A whole number of these bounds, both included; what is wrong is said with the bound that was crossed. */
export const wholeNumber =
  (least: number, most: number) =>
  (target: object, key: string): void => {
    IsInt({ message: `must be a whole number from ${least} to ${most}` })(target, key);
    Min(least, { message: `must be at least ${least}` })(target, key);
    Max(most, { message: `must be at most ${most}` })(target, key);
  };
