/** Where a small raised number is a footnote mark: after a word or closing punctuation, unlike in "km²" and "10⁶". */
const BEHIND_WORD = String.raw`(?<=(?:[.,;:!?)\]"”’'»%]|\p{L}{3}|\b(?:1[5-9]|20)\d\d)[*_]{0,2}\s{0,2})`;
const NUMBERS = String.raw`\[?\s?\^?\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3})*\s?\]?`;
const LABEL = '(?:cite|[Cc]itation|web|post|[Ff]ile|attached_file|[Dd]oc|[Rr]ef|[Ss]ource|src|memory|oaicite)s?[:_ ]';
// Each text matches in only one way, since otherwise a failure at the end would be retried in exponentially many ways.
const RAISED = '[¹²³⁰⁴-⁹]+(?:[ ,˒]{1,2}[¹²³⁰⁴-⁹]+)*';

/**
 * What models write in place of a source, with numbers or names of their own that nobody else can resolve. It is not part of their statements:
 * `[cite: 1, 3]`, `[web:2]`, `:contentReference[oaicite:3]{index=3}`, `【4†L3-L9】`, `citeturn0search1`, with or without private-use characters,
 * `<sup>1</sup>` and raised digits.
 */
export const FOREIGN_MARK = [
  String.raw`\[cite_(?:start|end)\]`,
  String.raw`\[${LABEL} ?\^?\d(?:[\d,;:_ ^–-]|${LABEL}){0,60}\](?!\()`,
  String.raw`\[\d{1,3}†[^\]\n]{0,60}\]`,
  String.raw`【(?:[^】\n]{0,60}†[^】\n]{0,60}|oaicite[^】\n]{0,20}|turn\d[^】\n]{0,60})】`,
  String.raw`:contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?`,
  String.raw`\uE200(?!entity)[^\uE200\uE201\n]{0,400}\uE201`,
  String.raw`cite(?: ?turn\d{1,3}[a-z]{1,12}\d{1,3})+`,
  String.raw`<(?:cite|citation|source|ref)>${NUMBERS}<\/(?:cite|citation|source|ref)>`,
  String.raw`<grok:render\b[^>]{0,400}>[^<]{0,200}(?:<argument[^>]{0,200}>[^<]{0,200}<\/argument>\s{0,20}){0,5}<\/grok:render>`,
  String.raw`${BEHIND_WORD}(?:<sup>(?:${NUMBERS})<\/sup>|${RAISED})`,
].join('|');

/** An address such as "(https://…)", "(source: https://…)" or "<source>https://…</source>". The only group is the address. */
export const ADDRESS_ALONE = String.raw`(?:\((?:(?:[Ss]ources?|[Ss]ee|via):?\s{0,3})?<?|<source>\s{0,3})(https?:\/\/[^\s<>()]{1,2000})(?:>?\)|\s{0,3}<\/source>)`;
