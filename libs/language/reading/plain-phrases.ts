/**
 * Phrases that say the same in any sentence, the plainest last. A sentence in which these are exchanged says what it said before; words whose meaning
 * depends on the sentence are in no line. `#` is a figure, `~` an article.
 */
const PHRASES = `
has to;have to;needs to;need to;is required to;are required to>must
is able to;are able to>can
due to;owing to;on account of>because of
prior to>before
in order to>to
free of charge;at no cost>free
has ~ area of #>covers #
has ~ height of #;is # tall;stands # tall;stands # high>is # high
has ~ length of #>is # long
has ~ width of #>is # wide
has ~ depth of #>is # deep
has ~ weight of #>weighs #
employs # people;employs # workers>has # employees
became ~ member of>joined
is located in;is situated in>is in
the united states of america;the united states;the usa;united states>usa
the united kingdom;united kingdom;the uk>uk
the european union;european union;the eu>eu
~ single>one
each hour;every hour;hourly>per hour
each day;every day;daily>per day
each night;every night;nightly>per night
each week;every week;weekly>per week
each month;every month;monthly>per month
each year;every year;annually;yearly>per year
academy awards>oscars
sq km>square kilometers
sq m>square meters
aged over>over
aged under>under
aged #>#
# or more>#
`;

/** Words that can replace each other in any sentence, each by the first of its line. */
const WORDS = `
start begin commence
starts begins commences
started began commenced
starting beginning commencing
bought purchased
use utilize
uses utilizes
used utilized
children kids
people persons
while whilst
among amongst
toward towards
jail gaol
tire tyre
program programme
programs programmes
gray grey
aluminum aluminium
license licence
defense defence
offense offence
plow plough
mold mould
math maths
pajamas pyjamas
yogurt yoghurt
`;

/** Words that only join a sentence to the one before it, and requests for attention. */
export const JOINING = new Set('therefore moreover furthermore additionally please'.split(' '));
/** Instructions say the same with and without these. */
export const ADVISING = ['you should', 'make sure to', 'be sure to'];
/** The adverb of a negated auxiliary: "isn't" is "is not". */
export const CONTRACTIONS = new Map([
  ["can't", 'can not'],
  ['cannot', 'can not'],
  ["won't", 'will not'],
  ["shan't", 'shall not'],
  ["it's", 'it is'],
  ["that's", 'that is'],
  ["they're", 'they are'],
  ["you're", 'you are'],
  ["we're", 'we are'],
]);
/** Endings and beginnings that British and American English write otherwise, by the American ones. */
export const SPELLINGS: readonly [RegExp, string][] = [
  [/(?<=[a-z]{2}[^aeiou])our(?=$|s$|ed$|ing$|ite|able)/, 'or'],
  [/(?<=[a-z]{2})is(?=(?:e|es|ed|ing|ation|ations)$)/, 'iz'],
  [/(?<=^(?:cent|theat|fib|calib|spect|(?:kilo|centi|milli)?(?:met|lit)))re(?=s?$)/, 'er'],
  [/(?<=[vcdbun]el)l(?=(?:ed|ing|er|ers)$)/, ''],
  [/(?<=^(?:an|leuk|h|p|orthop|gyn))ae(?=[mdc])/, 'e'],
  [/(?<=^f?)oe(?=str|soph|t)|(?<=rrh)oe/, 'e'],
];

export const PLAIN_WORDS: ReadonlyMap<string, string> = new Map(
  WORDS.trim()
    .split('\n')
    .flatMap((line) => {
      const [plain = '', ...others] = line.split(' ');
      return others.map((other) => [other, plain] as const);
    }),
);

/** A phrase and its plainest form. */
export interface Phrase {
  from: readonly string[];
  to: readonly string[];
}

/** The phrases by their first word, longer ones first. */
export const PHRASES_BY_FIRST: ReadonlyMap<string, readonly Phrase[]> = phrasesByFirst();

function phrasesByFirst(): ReadonlyMap<string, readonly Phrase[]> {
  const phrases = PHRASES.trim()
    .split('\n')
    .flatMap((line) => {
      const [others = '', plain = ''] = line.split('>');
      return others.split(';').map((phrase): Phrase => ({ from: phrase.split(' '), to: plain.split(' ') }));
    })
    .sort((a, b) => b.from.length - a.from.length);
  return Map.groupBy(phrases, ({ from: [first = ''] }) => first);
}
