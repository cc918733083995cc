import { stemOrStopWord } from './lexicon';

/**
 * Words that mean the same in a sentence about an event, a line for each meaning; all their forms count. Words that mean the same everywhere are in
 * `same-meaning.ts`.
 */
const GROUPS = `
begin start commence initiate
founded establish create form
locate situate base
kill murder slay
release issue publish
obtain receive earn get gain
move relocate shift transfer
join enter
attend visit
die perish decease pass
star appear act play
member part
role portrayal character
write author pen
say state declare announce remark
know call name term dub title
only exclusively solely
small little
many numerous multiple
several various
near close adjacent
people inhabitant resident citizen individual
film movie picture
show demonstrate display exhibit reveal indicate
use utilize employ utilise
make produce manufacture
include contain comprise incorporate feature
end finish conclude complete
stop halt cease discontinue
decline decrease fall drop
describe depict portray
explain clarify
rate rank
designate assign appoint
go travel
house shelter accommodate
teach instruct
work serve
change alter modify
keep retain maintain preserve
damage harm
prove demonstrate
circulate disseminate
estimate predict
supply provide furnish give offer
win triumph
buried interred
famous renowned known celebrated prominent notable
currently presently now
formerly previously
job occupation profession
house home residence
car automobile vehicle
picture image photo photograph
road street
town village
company firm corporation business
country nation
war conflict
error mistake fault
disease illness sickness
prize award
building structure edifice
method technique approach procedure
average mean
often frequently usually commonly typically
connect link associate relate
elect choose name select appoint
designate consider declare classify categorize class regard recognize acknowledge label
award give grant receive
locate find situate
record see observe note spot document
produce issue manufacture
convert transform turn
coin create invent devise
develop create design
area region zone district territory
part section portion piece
primarily mainly mostly chiefly largely
study examine investigate research analyze survey
create enact introduce
open start launch inaugurate
unveil present reveal
need must
expect schedule plan project predict forecast
original initial first inaugural
elevation height altitude
population inhabitant
circulation distribution
exact precise
complete full entire
purpose aim goal objective
happen occur take
important significant major
because due
resemble similar
house contain hold
lie sit stand
reach attain achieve
cost price
fee charge
staff workforce personnel
student pupil
patient person people
trial study
participant patient subject
hospital clinic
medicine drug medication
injure wound hurt
accuse charge
verdict ruling judgment decision
statute law act legislation
deal agreement contract accord treaty pact
court tribunal
fine penalty
goal point score
match game
coach manager trainer
champion winner
tournament competition contest championship
stadium arena ground
crowd attendance spectator
software program application app
bug defect error fault
feature function capability
user customer client
default standard
version release edition
boss chief head director
shop store
factory plant
worker employee
profit gain
merge combine unite
supporter advocate proponent
opponent critic adversary
rule govern control
border frontier boundary
storm hurricane cyclone
temperature heat
rain rainfall precipitation
forest wood woodland
example instance
kind type sort
globe world earth
quickly rapidly fast
enormous huge vast
assist support
adapt adjust modify
assemble gather collect
honor honour
depart leave exit
reply respond answer
educate train school
carry transport convey
cause trigger prompt provoke
component element constituent
destroy wreck ruin
`;

/** The stems of each group. */
const STEMS = GROUPS.trim()
  .split('\n')
  .map((group) => [...new Set(group.split(' ').map(stemOrStopWord))]);
const MEANINGS = meaningsOf(STEMS);
const STANDING_FOR_ALL = standingForAllOf(STEMS);

/** The stems that can replace this one; null if none is known. */
export const synonymsOf = (stem: string): ReadonlySet<string> | null => MEANINGS.get(stem) ?? null;

/** A single representative for stems of the same meaning. */
export const standingForAll = (stem: string): string => STANDING_FOR_ALL.get(stem) ?? stem;

function meaningsOf(groups: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const meanings = new Map<string, Set<string>>();
  for (const stems of groups) {
    for (const stem of stems) meanings.set(stem, new Set([...(meanings.get(stem) ?? []), ...stems]));
  }
  return meanings;
}

/** A word in several groups has several meanings, so it gets no representative. */
function standingForAllOf(groups: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  const counts = Map.groupBy(groups.flat(), (stem) => stem);
  return new Map(
    groups.flatMap((stems) => {
      const own = stems.filter((stem) => counts.get(stem)?.length === 1);
      return own.map((stem) => [stem, own[0] ?? stem] as const);
    }),
  );
}
