/** One line of a process's log. */
export type LogEntry = Record<string, unknown> & { reason?: string; jobId?: string };

interface Watcher {
  matches: (entry: LogEntry) => boolean;
  missing: number;
  resolve: (entry: LogEntry) => void;
}

const PATIENCE_MS = 60_000;

/** What all processes of a deployment wrote, also those that are dead by now. */
export class Logs {
  readonly lines: { process: string; text: string }[] = [];
  private readonly watchers = new Set<Watcher>();

  add(process: string, text: string): void {
    this.lines.push({ process, text });
    const entry = entryOf(text);
    for (const watcher of this.watchers) {
      if (!watcher.matches(entry)) continue;
      watcher.missing -= 1;
      if (watcher.missing === 0) watcher.resolve(entry);
    }
  }

  /** The processes that wrote such an entry. */
  processesWith(matches: (entry: LogEntry) => boolean): string[] {
    return [...new Set(this.lines.filter(({ text }) => matches(entryOf(text))).map(({ process }) => process))];
  }

  /** The next entry that matches, or the `count`th from now on. */
  async next(matches: (entry: LogEntry) => boolean, count = 1): Promise<LogEntry> {
    const { promise, resolve, reject } = Promise.withResolvers<LogEntry>();
    const watcher = { matches, missing: count, resolve };
    const impatience = setTimeout(
      () => reject(new Error(`the log misses ${watcher.missing} of ${count}: ${String(matches)}`)),
      PATIENCE_MS,
    );
    this.watchers.add(watcher);
    try {
      return await promise;
    } finally {
      clearTimeout(impatience);
      this.watchers.delete(watcher);
    }
  }
}

/** What is no entry, such as the half line of a process that was killed, has no fields. */
export function entryOf(line: string): LogEntry {
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    return {};
  }
}

/** Every committed event is one line with its type as the reason. */
export const isEvent =
  (type: string, ids: { jobId?: string } = {}) =>
  (entry: LogEntry): boolean =>
    entry.reason === type && (ids.jobId === undefined || ids.jobId === entry.jobId);

export const isStateChange = ({ version, jobId }: LogEntry): boolean => version !== undefined && jobId !== undefined;
