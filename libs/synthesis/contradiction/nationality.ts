/** Nationalities; those that include each other stand together. */
const NATIONS = `American;British English Scottish Welsh;Irish;Canadian;Australian;Dutch;German;Austrian;Swiss;French;Belgian;Italian;Spanish;Portuguese;
Swedish;Norwegian;Danish;Finnish;Icelandic;Polish;Czech;Slovak;Hungarian;Romanian;Bulgarian;Greek;Turkish;Russian Soviet;Ukrainian;Serbian;Croatian;
Israeli;Egyptian;Moroccan;Algerian;Tunisian;Nigerian;Ghanaian;Kenyan;Ethiopian;Indian;Pakistani;Bangladeshi;Chinese;Japanese;Korean;Vietnamese;Thai;
Indonesian;Malaysian;Filipino;Iranian;Iraqi;Syrian;Lebanese;Saudi;Mexican;Brazilian;Argentine Argentinian;Chilean;Peruvian;Colombian;Venezuelan;
Uruguayan;Cuban;Guatemalan;Jamaican;Zimbabwean;Roman;New Zealand;South African`;

const FAMILIES: ReadonlyMap<string, number> = new Map(
  NATIONS.split(/[;\n]+/).flatMap((family, number) =>
    (/^(?:New Zealand|South African)$/.test(family) ? [family] : family.split(' ')).map((people): [string, number] => [people, number]),
  ),
);
const PEOPLE = [...FAMILIES.keys()].join('|');
const IS_OF = new RegExp(
  String.raw`^[^.;]{0,60}?\b(?:is|was)\s+(?:an?|the)\s+((?:(?!born\b)[\p{Ll}-]+\s+){0,2}?)(${PEOPLE})\b([-\s/]*)((?:(?:${PEOPLE})\b)?)([^.;,]{0,40})`,
  'u',
);
/** These suggest a second nationality, or one that is not the subject's. */
const MORE = /\b(?:born|based|descent|origin|heritage|raised|naturali[sz]ed|national|citizen)\b/;

/** The nationality that the words after a name give it: "is a Dutch rock band". */
export function nationalityOf(predicate: string): string[] {
  const [, , first = '', , second = '', rest = ''] = IS_OF.exec(predicate) ?? [];
  if (
    first === '' ||
    second !== '' ||
    MORE.test(rest.split(/\b(?:who|that|which|and)\b/)[0] ?? '') ||
    new RegExp(`^-|(?:${PEOPLE})`).test(rest)
  )
    return [];
  return [first];
}

export function nationalitiesConflict(mine: readonly string[], yours: readonly string[]): boolean {
  return mine.length > 0 && yours.length > 0 && !mine.some((people) => yours.some((other) => FAMILIES.get(people) === FAMILIES.get(other)));
}
