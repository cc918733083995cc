/** For adapters of which a test does not look at the log. */
export const silent = { info: (): void => undefined, warn: (): void => undefined };
