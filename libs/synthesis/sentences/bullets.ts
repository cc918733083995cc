/**
 * What some writers put before a line in the place of a list's mark: "•", "✅", "👉", "1️⃣". Not what denies the line: "❌ Smoking indoors". The signs
 * that are listed are no pictographs: a run of what is both would take exponential time.
 */
const BULLET =
  /^(?:(?![❌❎🚫⛔✖✗✘👎©®™])(?:[•‣◦●○■□▸►➤➢✓]|\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\uFE0F?\u20E3)[\uFE0F\u200D\p{Emoji_Modifier}]*)+[ \t]+(?=\S)/u;
const BEGINS_LINE = /(?<=\n)[ \t]*/g;

/** Of what stands before the words of a line or sentence. */
export const bulletLength = (text: string): number => (MAY_BE_BULLET.test(text) ? (BULLET.exec(text)?.[0].length ?? 0) : 0);
/** Nearly every sentence begins otherwise. */
const MAY_BE_BULLET = /^(?:[^\0-\x7F]|[0-9#*][\uFE0F\u20E3])/;

/** Where a line begins in a text with such a sign. */
export const bulletedLines = (text: string): number[] =>
  [...text.matchAll(BEGINS_LINE)]
    .map(({ index, 0: indent }) => index + indent.length)
    .filter((begin) => bulletLength(text.slice(begin, begin + MAX_LENGTH)) > 0);

/** In UTF-16 units. */
const MAX_LENGTH = 60;
