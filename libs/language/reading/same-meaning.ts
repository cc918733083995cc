import { isStopWord, stemOf } from '../tokens';
import { BASES } from './verb-forms';

/**
 * Words that can replace each other in any sentence of a report, including the noun of a verb: a line for each meaning, named by its first word. Each
 * word stands in only one line, and words with other senses ("drop", "bar", "bear") in none.
 */
const GROUPS = `
decrease reduce cut decline fall shrink diminish lessen reduction shrinkage dwindle
increase grow rise growth climb
start begin commence beginning
acquire buy purchase acquisition takeover
establish founded founder establishment cofounded
locate situate
release issue
receive obtain
die death perish decease
birth born
big large
small tiny
fast quick rapid swift
film movie
help aid assist assistance
use utilize utilise usage utilization utilisation
finish conclude conclusion
choose select selection pick
happen occur occurrence
participate compete participation participant
enroll enrol recruit enrollment enrolment
remain stay
move relocate relocation
live reside dwell
marry wed marriage wedding
retain keep retention
demonstrate show
supply provide provision furnish
defeat beat
win winner
lead leader
invent inventor invention
create creator creation
own owner ownership
replace supersede replacement
famous renowned
annual yearly
car automobile
physician doctor
lawyer attorney
child children kid
man men
woman women
company firm corporation
illness sickness
admit admission
permit permission allow
prohibit forbid ban outlaw disallow prohibition
prison imprison jail gaol imprisonment incarcerate incarceration
employ employee staff
uphold affirm
overturn invalidate annul quash
close shut closure
pledge promise vow
sign signature signatory
murder assassinate assassination
chief-executive ceo
discover discovery discoverer
destroy destruction
explode explosion
collide collision
depart departure
survive survival survivor
fail failure
succeed success successful
decide decision
fund finance
build construct construction erect builder
attack assault
publish publication publisher
store storage
require need requirement
kilometre kilometer km
metre meter
centimetre centimeter cm
millimetre millimeter mm
kilogram kilogramme kg
gigabyte gb
gigawatt gw
megawatt mw
nearly almost
approximately roughly around
usually typically
refrigerator fridge
analyze analyse analysis
behavior behaviour
color colour
center centre
organize organise
program programme
license licence
liter litre
labor labour
defense defence
theater theatre
`;

const MEANINGS: ReadonlyMap<string, string> = meaningsOf(GROUPS);

/** The stem that represents all words of the same meaning. */
export const meaningOf = (stem: string): string => MEANINGS.get(stem) ?? stem;

function meaningsOf(groups: string): ReadonlyMap<string, string> {
  const meanings = new Map<string, string>();
  for (const group of groups.trim().split('\n')) {
    const [first = '', ...others] = group.split(' ').map((word) => (isStopWord(word) ? word : stemOf(BASES.get(word) ?? word)));
    for (const other of others) {
      const known = meanings.get(other) ?? first;
      if (known !== first) throw new Error(`"${other}" has the meanings "${known}" and "${first}": write it in one group`);
      if (other !== first) meanings.set(other, first);
    }
  }
  return meanings;
}
