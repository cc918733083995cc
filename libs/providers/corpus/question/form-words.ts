import { germanFormWords } from '@lib/language/german';
import { wordSet } from '@lib/language/sets';
import { words } from '@lib/language/tokens';

/** How questions begin in a language, and its function words, which say nothing about the subject. */
interface Language {
  begins: RegExp;
  forms: ReadonlySet<string>;
  /** A question must contain at least one of these, because "Comment" and "Que" also begin texts in other languages. */
  surely: ReadonlySet<string>;
}

const LANGUAGES: readonly Language[] = [
  {
    begins:
      /^[^\p{L}]*(?:combien|comment|pourquoi|quels?|quelles?|quand|où|qui|que|qu['’]est|est-ce|à (?:qui|quoi|quels?|quelles?|partir)|dans|de|pour|en) /iu,
    forms: wordSet(
      `à a au aux avec c ce ces cette combien comment d dans de des doit dois du elle en es est est-ce et faire faut il ils j je l la le les leur ma mes mon n ne
nos notre nous on où ou par pas peut peut-on peux pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa se ses son sont sur t un une vos votre vous y`,
    ),
    surely: wordSet('combien pourquoi quel quelle quelles quels quand où le la les une des du est sont'),
  },
  {
    begins:
      /^[^\p{L}]*(?:(?:a|con|de|desde|en|para|por) )?(?:cómo|cuándo|dónde|adónde|quién|quiénes|qué|cuál|cuáles|cuánto|cuánta|cuántos|cuántas) /iu,
    forms: wordSet(
      `a al adónde como con cómo cuál cuáles cuándo cuánta cuántas cuánto cuántos de debe debo del desde dónde el ella en es está están hace hay la las le les lo los me
mi mis no nos o para pero por puede puedo que quién quiénes qué se ser si sin son su sus un una unas uno unos y`,
    ),
    surely: wordSet('cómo cuál cuáles cuándo cuánta cuántas cuánto cuántos dónde adónde quién quiénes qué'),
  },
];

/** Chinese question words and particles. */
const CHINESE = wordSet(
  '多少 什么 怎么 怎样 怎么样 如何 为什么 为何 哪 哪里 哪儿 哪个 哪些 哪种 谁 几 吗 呢 吧 的 是 了 在 和 有 我 我们 你 您 可以 需要 应该',
);

const BEGINS_GERMAN =
  /^[^\p{L}]*(?:(?:ab|auf|aus|bei|bis|für|in|mit|nach|über|um|unter|von|vor|zu) )?(?:wie|wann|wo|wer|wem|wen|wessen|warum|weshalb|wieso|wofür|womit|woher|wohin|wieviel|welche[mnrs]?) /iu;
/** "Was" begins a German question as well as an English one. */
const BEGINS_WITH_WAS = /^[^\p{L}]*was (?!.*\b(?:the|an?|it|this|that|there|any|my|your|our)\b)/iu;
/** "Wie lange" is "how long". */
const GERMAN_MEASURE = /\bwie (oft|lange?|viele?|hoch|groß|weit|schnell|teuer|alt)(?!\p{L})/giu;

/** The function words of a question in a language other than English; empty for an English text. */
export function formWords(text: string): ReadonlySet<string> {
  const isQuestion = BEGINS_GERMAN.test(text) || BEGINS_WITH_WAS.test(text);
  const german = germanFormWords(text, isQuestion ? 1 : undefined);
  const measures = german.size === 0 ? [] : Array.from(text.matchAll(GERMAN_MEASURE), ([, measure = '']) => measure.toLowerCase());
  const said = words(text);
  const others = LANGUAGES.filter(({ begins, surely }) => begins.test(text) && said.some((word) => surely.has(word)));
  return new Set([...german, ...measures, ...others.flatMap(({ forms }) => [...forms]), ...said.filter((word) => CHINESE.has(word))]);
}
