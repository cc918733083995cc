/** A task by its name, and its arguments. */
export interface Call {
  task: string;
  given: readonly unknown[];
}

export type Answer = { value: unknown } | { error: unknown };

/** Answers each call separately, so that one that throws does not fail the others. */
export const answerCalls =
  (tasks: Record<string, (...given: never[]) => unknown>) =>
  (calls: readonly Call[]): Answer[] =>
    calls.map(({ task, given }) => {
      try {
        const answer = tasks[task];
        if (!answer) throw new Error(`these threads have no task "${task}"`);
        return { value: answer(...(given as never[])) };
      } catch (error) {
        return { error };
      }
    });
