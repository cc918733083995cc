/** A task by its name, and its arguments. */
export interface Call {
  task: string;
  given: readonly unknown[];
}

export type Answer = { value: unknown } | { error: unknown };

/** Answers each call for itself, so that one that throws fails alone. */
export const answerCalls =
  (tasks: Record<string, (...given: never[]) => unknown>) =>
  (calls: readonly Call[]): Answer[] =>
    calls.map(({ task, given }) => {
      try {
        return { value: tasks[task]?.(...(given as never[])) };
      } catch (error) {
        return { error };
      }
    });
