import { stemOrStopWord } from './lexicon';

/** Words that say the same in a sentence that tells of an event, a line for each meaning; all their forms count. */
const GROUPS = `
begin start commence initiate
build construct erect
found establish create form
locate situate base
kill murder slay
release issue publish
obtain receive earn get gain
buy acquire purchase
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
big large
small little
fast quick rapid
many numerous multiple
several various
near close adjacent
people inhabitant resident citizen individual
film movie picture
show demonstrate display exhibit reveal indicate
use utilize employ utilise
help aid assist
make produce manufacture
need require
include contain comprise incorporate feature
end finish conclude complete
stop halt cease discontinue
choose select pick
happen occur
grow increase rise climb
decline decrease fall drop
describe depict portray
explain clarify
compete participate
rate rank
designate assign appoint
rank rate
remain stay
go travel
house shelter accommodate
live reside dwell
marry wed
teach instruct
work serve
buy purchase
change alter modify
keep retain maintain preserve
damage harm
prove demonstrate
circulate disseminate
estimate predict
supply provide furnish give offer
get receive
replace supersede
win triumph
defeat beat
attack assault
buried interred
famous renowned known celebrated prominent notable
begin start commence launch
currently presently now
formerly previously
annually yearly
job occupation profession
house home residence
car automobile vehicle
doctor physician
attorney lawyer
child kid
picture image photo photograph
road street
town village
company firm corporation business
country nation
war conflict
error mistake fault
disease illness sickness
prize award
`;

const MEANINGS: ReadonlyMap<string, ReadonlySet<string>> = meaningsOf(GROUPS);

/** The stems of the words that can stand for the word of this stem; null where none is known. */
export const synonymsOf = (stem: string): ReadonlySet<string> | null => MEANINGS.get(stem) ?? null;

function meaningsOf(groups: string): ReadonlyMap<string, ReadonlySet<string>> {
  const meanings = new Map<string, Set<string>>();
  for (const group of groups.trim().split('\n')) {
    const stems = group.split(' ').map(stemOrStopWord);
    for (const stem of stems) meanings.set(stem, new Set([...(meanings.get(stem) ?? []), ...stems]));
  }
  return meanings;
}
