import { words } from './tokens';

/** German function words that are not English words. "Was", "die", "war", "man", "will" and "also" are missing, since these are English words too. */
const FORMS = new Set(
  `ab aber als auf aus bei beim bis da dann das dass dem den denn der des dessen dieser diese dieses doch du durch ein eine einem einen einer eines er es
für gegen gibt haben hat hatte ich ihr ihre ihrem ihren im ist ja jede jeder jedes kann können könnte man mein meine mich mir mit muss müssen nach nicht
noch nur ob oder ohne sehr sein seine seinem seinen sich sie sind sollte über um und uns unter vom von vor wann wäre warum weil welche welchem
welchen welcher welches wem wen wenn wer werden wessen weshalb wie wieso wieviel wird wo wobei wodurch wofür woher wohin womit woran worauf worin wovon
wozu wurde wurden zu zum zur zwischen`.split(/\s+/),
);
/** Words that are also English, but are function words in a German sentence. */
const AMBIGUOUS = new Set(['an', 'bin', 'die', 'in', 'so', 'war', 'waren', 'was', 'will']);
/** One such word is not enough: "kind of der" is not German. */
const MIN_FORM_WORDS = 2;

/**
 * The words of a German text that say nothing about its subject; empty for a text in another language.
 * @param least how many function words show that it is German
 */
export function germanFormWords(text: string, least = MIN_FORM_WORDS): ReadonlySet<string> {
  const found = new Set(words(text).filter((word) => FORMS.has(word)));
  return found.size < least ? new Set() : found.union(AMBIGUOUS);
}
