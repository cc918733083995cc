/** Headings and labels of a direct answer in a sentence. */
export const ANSWERING =
  /\b(?:(?:short|quick|direct|brief|honest|simple|plain) answer|answer (?:first|in (?:brief|short))|bottom line|tl;?dr|verdict|quick take|key takeaways?|take-?away)\b|^\[?in (?:short|brief|a nutshell)\b/i;

/** Headings of a text that answers in several sentences. */
export const SUMMING = /\b(?:(?:executive )?(?:summary|overview)|conclusions?|introduction|at a glance|overall|to sum up)\b/i;

/** A label before a sentence: "Verdict:", "[Short answer:]". */
const LABEL = /^\[?[^.:\]]{1,40}[.:]\]?(?=\s)/;

/** Whether a sentence stands right below or after words that match. */
export const isLedBy = (
  words: RegExp,
  { headings, text }: { headings: { levels: readonly { text: string }[] } | null; text: string },
): boolean => words.test(headings?.levels.at(-1)?.text ?? '') || words.test(LABEL.exec(text)?.[0] ?? '');
