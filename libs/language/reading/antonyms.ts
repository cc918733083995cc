/**
 * Pairs of antonyms from WordNet 3.1 (Princeton University; its licence allows any use with this notice): single words recorded in use, without those
 * formed by a prefix and without pairs that often both hold. One line of pairs after the other.
 */
export const ANTONYMS = `abnormal normal;abolish establish;absence presence;absent present;absolute relative;absorb emit;abstract concrete;abundance scarcity
accelerate decelerate;acceleration deceleration;accept refuse;accept reject;acceptance rejection;accidentally deliberately
acquaintance stranger;acquit convict;active dormant;active passive;actively passively;actual potential;acute chronic;add subtract
admit deny;admit exclude;admit reject;adult juvenile;advance back;advance recede;advance retreat;aged young;agitate calm
agitation calmness;ahead back;alive dead;allow deny;amateur professional;amicable hostile;ample meager;analysis synthesis
analytic synthetic;analyze synthesize;ancestor descendant;angular rounded;annual perennial;anode cathode;answer question
antagonistic conciliatory;antagonistic synergistic;antecedent subsequent;anterior posterior;applaud boo;appreciation depreciation
arrive leave;artificial natural;artificially naturally;ascend descend;ascending descending;asleep awake;assent dissent;attach detach
attached detached;attack defend;attend miss;attract repel;attraction repulsion;attractive repulsive;automatic manual;avoid confront
away home;awkward graceful;back front;background foreground;backward forward;bad good;badly well;badness goodness;bare covered
basic incidental;beautiful ugly;beauty ugliness;begin end;beginning end;beginning ending;bend straighten;best worst;better worse
better worsen;big little;big small;birth death;black white;blacken whiten;bless curse;blessed cursed;bloodless bloody
blue-collar white-collar;blur focus;boil freeze;bold timid;borrow lend;bottom top;boycott patronize;brave cowardly;brave timid
break repair;breathing breathless;bright dull;brighten darken;broadly narrowly;busy idle;buy sell;calm stormy;capitalistic socialistic
carefully carelessly;cash credit;center left;center right;central peripheral;centrally peripherally;cerebral emotional;cheap expensive
child parent;civilian military;claim forfeit;clarity obscurity;clean dirty;clear opaque;clearheaded confused;clergy laity;clergyman layman
close distant;close open;closed open;closing opening;coarse fine;coarsely finely;cold hot;coldness hotness;collective distributive;come go
comedy tragedy;common individual;compact loose;competition cooperation;complex simple;complexity simplicity;complicate simplify
compound simple;concave convex;conceit humility;concentration dilution;concentration distribution;confident diffident;confine free
conform deviate;consonant vowel;consonantal vocalic;constructive destructive;continual sporadic;contract expand;contraction expansion
conventional nuclear;cool heat;cool warm;correct falsify;courage cowardice;covertly overtly;criticize praise;crooked straight;cry laugh
curly straight;curved straight;danger safety;dangerous safe;dark light;darken lighten;day night;dead live;dead living;deaden enliven
deaf hearing;decline improvement;decrease increase;decreasing increasing;deep shallow;defeat victory;defend prosecute;defense offense
defense prosecution;defensive offensive;deficit lead;delay rush;delicate rugged;demand supply;demote promote;deposit withdraw
depress elate;depression elation;deprive enrich;despair hope;destroyed preserved;differ equal;difference sameness;different same
differentiate integrate;difficult easy;difficulty ease;direct inverse;disable enable;disabling enabling;discharge enlist
discourage encourage;dislike liking;dissuade persuade;distal proximal;divest invest;divide multiply;divide unite;divided united
docile stubborn;domestic foreign;dominant subordinate;domineering submissive;double single;down up;downgrade upgrade;downstairs upstairs
downstream upstream;downtown uptown;downward upward;dramatic lyric;dry wet;dull lively;dull sharpen;early late;ebb tide
empirical theoretical;empirically theoretically;employee employer;emptiness fullness;empty fill;empty full;enforce exempt;enjoy suffer
enter exit;erase record;even odd;ever never;evil good;exclude include;exclusive inclusive;explicit implicit;export import
extensive intensive;exterior interior;external internal;extinguish ignite;extraordinary ordinary;fail manage;fail pass;fail succeed
failure success;fall rise;falling rising;false true;falsity truth;familiar strange;far near;fast slow;fat thin;feed starve;female male
feminine masculine;feminine neuter;figurative literal;figuratively literally;finish start;fire hire;flatten sharpen;float sink
foe friend;follow precede;follower leader;following leading;folly wisdom;foolish wise;forbid permit;foreign native;forget remember
formalism imitation;former latter;forward reverse;fractional whole;frail robust;free obstruct;fresh preserved;fresh salty
fresh stale;friendly hostile;frivolous serious;front rear;full thin;full-time half-time;full-time part-time;functional organic;future past
future present;gain loss;gain reduce;gaseous liquid;gaseous solid;general local;general particular;general specific;generalist specialist
generalize specify;generally specifically;geographic magnetic;give take;glad sad;gradual steep;gradual sudden;greater lesser;green ripe
gross net;guilt innocence;guilty innocent;hairless hairy;half whole;happily sadly;happiness sadness;hard soft;harden soften;hardened soft
hate love;headed headless;heaven hell;heavily lightly;heavy light;hesitantly unhesitatingly;heterogeneous homogeneous
heterozygous homozygous;high low;hit miss;hollow solid;hollowness solidity;hopefully hopelessly;horizontal inclined;horizontal vertical
host parasite;humble proud;humility pride;hungry thirsty;hydrophilic hydrophobic;idle work;ignore know;ignore notice;ill well
inclined vertical;incoming outgoing;indoor outdoor;indoors outdoors;induced spontaneous;inferior superior;inferiority superiority
infield outfield;inner outer;inside outside;instrumental vocal;integrated segregated;intelligence stupidity;intense mild
intermediate terminal;inward outward;inwardly outwardly;irritate soothe;issue recall;joint separate;joy sorrow;junior senior;keep lose
large small;lax tense;lean rich;lengthen shorten;level raise;linear planar;linger rush;liquid solid;little much;live recorded;long short
loose tight;loosen stiffen;lose win;loser winner;lost saved;loud soft;loudly softly;lower raise;lower-class middle-class;lowered raised
major minor;majority minority;masculine neuter;maximal minimal;maximize minimize;maximum minimum;mental physical;multiple single
multiply singly;nadir zenith;naive sophisticated;narrow wide;narrow widen;nasty nice;negative neutral;negative positive;neutral positive
new old;noisily quietly;noisy quiet;nominal real;numerical verbal;objective subjective;oblique parallel;obscurity prominence
obverse reverse;off on;offshore onshore;often rarely;old young;oleophilic oleophobic;open shut;optimism pessimism;optimistic pessimistic
overachievement underachievement;overestimate underestimate;overhead subsurface;overhead surface;pain pleasure;particular universal
partly wholly;past present;peace war;penalty reward;permanently temporarily;poor rich;porosity solidity;postwar prewar;poverty wealth
precede succeed;preceding succeeding;prefix suffix;preparation resolution;primarily secondarily;primary secondary;private public
privately publicly;privileged underprivileged;profane sacred;profound superficial;profundity superficiality;prospective retrospective
proximate ultimate;pull push;qualitative quantitative;quickly slowly;reassure worry;relax tense;relaxed tense;resist surrender;right wrong
right wrongly;rough smooth;roughen smooth;roughness smoothness;rural urban;seasonal year-round;seated standing;sedate stimulate
self-consciousness unselfconsciousness;separation union;sharpen soften;sharpness softness;short tall;shout whisper;shrink stretch;side top
silence sound;sink source;sit stand;sleep wake;smart stupid;sour sweet;sparkling still;spoken written;stand yield;start stop
stifle stimulate;strength weakness;strengthen weaken;strong weak;strongly weakly;subsurface surface;succumb survive;tame wild;tender tough
thick thin;thicken thin;thickly thinly;thickness thinness;thrifty wasteful;usefulness uselessness;valuable worthless;wane wax
worth worthlessness`;
