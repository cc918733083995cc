/** Words after "how" that only name the measure asked for, not its subject. */
const MEASURES =
  'many|much|long|often|far|large|big|small|fast|quick|quickly|slow|slowly|old|young|soon|early|late|tall|high|deep|wide|thick|heavy|frequent|frequently|regularly|likely|well|badly|expensive|cheap|hot|warm|cold|strong|strongly|hard|difficult|easy|easily|few|little|close|near|loud|bright';
const ASKED_MEASURE = new RegExp(String.raw`(?<=\bhow\s+)(?:${MEASURES})\b(?!-)`, 'giu');

/** A question without the words that only ask for a measure: "How often is it painted?" is not about "often". */
export const withoutAskedMeasures = (question: string): string => question.replace(ASKED_MEASURE, ' ');
