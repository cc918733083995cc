/** Ctrl-C, a service manager, and a closed terminal. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly NodeJS.Signals[];

/** The exit code of a program that Ctrl-C ended, by convention. */
export const EXIT_INTERRUPTED = 130;
