import { stemOrStopWord } from './lexicon';
import { synonymsOf } from './synonyms';

/**
 * Verbs and the nouns made from them that have another stem, by WordNet 3.1 (Princeton University; its licence allows any use with this
 * notice): nouns for whoever does it, then nouns for its being done. Without those that mostly mean something else ("letter", "office").
 */
const DOERS = `write author;write writer;win winner;win champion;build builder;found founder;create creator;lead leader;own owner;direct director;assess assessor;
back backer;carry carrier;claim claimant;clean cleaner;collect collector;compete competitor;conduct conductor;contribute contributor;deal dealer;
distribute distributor;drive driver;farm farmer;fight fighter;help helper;hold holder;hunt hunter;inspect inspector;invest investor;kidnap kidnapper;
kill killer;lose loser;make maker;occupy occupant;oppose opponent;paint painter;precede predecessor;prosecute prosecutor;receive recipient;ride rider;
rob robber;rule ruler;run runner;settle settler;sing singer;succeed successor;supervise supervisor;supply supplier;survive survivor;teach teacher;
trade trader;use user;visit visitor;vote voter;invent inventor;discover discoverer`;
const ACTS = `acquire acquisition;administer administration;admit admission;agree agreement;analyze analysis;appear appearance;bury burial;
classify classification;compare comparison;consume consumption;convert conversion;create creation;
deliver delivery;deny denial;depart departure;destroy destruction;diagnose diagnosis;discover discovery;divide division;enter entry;evolve evolution;
expand expansion;expose exposure;grow growth;identify identification;impose imposition;
injure injury;intervene intervention;introduce introduction;invade invasion;lose loss;maintain maintenance;merge merger;modify modification;
occupy occupation;pay payment;provide provision;react reaction;recover recovery;
reduce reduction;register registration;repeat repetition;represent representation;sell sale;settle settlement;solve solution;
submit submission;suspend suspension;transmit transmission;treat treatment`;

/** By the stem of the noun that of the verb. */
const OF_DOERS = verbsOf(DOERS);
const OF_ACTS = verbsOf(ACTS);

/** The verb whose doer the noun of this stem names. */
export const verbOfDoer = (stem: string): string | undefined => OF_DOERS.get(stem);

/** The stem of the verb that a word of this stem is or comes from. */
export const verbOf = (stem: string): string => OF_DOERS.get(stem) ?? OF_ACTS.get(stem) ?? stem;

/** Of each pair the one says of the first of two what the other says of the second: "A is the father of B", "B is the son of A". */
const CONVERSES = `father son;father daughter;mother son;mother daughter;parent child;parent son;parent daughter;father child;mother child;husband wife;
teacher student;teacher pupil;predecessor successor;employer employee;uncle nephew;uncle niece;aunt nephew;aunt niece;owner subsidiary;beat lose;join sign;join hire;join recruit`;

const CONVERSE = conversesOf(CONVERSES);

/** Whether another word may say what the word of this stem says. Of most words there is none. */
export const mayBeReworded = (stem: string): boolean => REWORDED.has(stem) || synonymsOf(stem) !== null;

export const areConverse = (one: string, other: string): boolean => CONVERSE.get(one)?.has(other) === true;

/** They carry the noun that says what happens, or only tell that something is there. */
const CARRYING = new Set(
  'receive get obtain have hold take make give come become serve stand lie locate situate total own people'.split(' ').map(stemOrStopWord),
);

export const isCarrying = (stem: string): boolean => CARRYING.has(stem);

const REWORDED = new Set([
  ...[...OF_DOERS, ...OF_ACTS].flat(),
  ...CONVERSE.keys(),
  ...CARRYING,
  ...'former formerly initial initially original originally current currently award'.split(' ').map(stemOrStopWord),
]);

function conversesOf(pairs: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const pair of pairs.split(/[;\n]+/)) {
    const [one = '', other = ''] = pair.split(' ').map(stemOrStopWord);
    found.set(one, (found.get(one) ?? new Set()).add(other));
    found.set(other, (found.get(other) ?? new Set()).add(one));
  }
  return found;
}

function verbsOf(pairs: string): ReadonlyMap<string, string> {
  return new Map(
    pairs.split(/[;\n]+/).map((pair): [string, string] => {
      const [verb = '', noun = ''] = pair.split(' ').map(stemOrStopWord);
      return [noun, verb];
    }),
  );
}
