/**
 * Signs that some writers use as list markers: "•", "✅", "👉", "1️⃣". Not those that negate the line: "❌ Smoking indoors". The signs listed
 * explicitly are not pictographs, since otherwise a run of them could match in exponentially many ways.
 */
const BULLET =
  /^(?:(?![❌❎🚫⛔✖✗✘👎©®™])(?:[•‣◦●○■□▸►➤➢✓]|\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\uFE0F?\u20E3)[\uFE0F\u200D\p{Emoji_Modifier}]*)+[ \t]+(?=\S)/u;
const BEGINS_LINE = /(?<=\n)[ \t]*/g;

/** Length of the sign before the words of a line or sentence. */
export const bulletLength = (text: string): number => (MAY_BE_BULLET.test(text) ? (BULLET.exec(text)?.[0].length ?? 0) : 0);
/** A quick check, because nearly all sentences begin otherwise. */
const MAY_BE_BULLET = /^(?:[^\0-\x7F]|[0-9#*][\uFE0F\u20E3])/;

/** The offsets at which lines with such a sign begin. */
export const bulletedLines = (text: string): number[] =>
  [...text.matchAll(BEGINS_LINE)]
    .map(({ index, 0: indent }) => index + indent.length)
    .filter((begin) => bulletLength(text.slice(begin, begin + MAX_LENGTH)) > 0);

/** In UTF-16 units. */
const MAX_LENGTH = 60;
