import { stemsOf } from '@lib/language/reading/lexicon';

/** Words in headings for an aspect of a thing rather than a thing. */
const ASPECTS =
  stemsOf(`overview introduction intro background summary conclusion conclusions takeaway takeaways finding findings result results outcome outcomes highlight
highlights detail details fact facts figure figures point points context note notes caveat caveats limitation limitations discussion analysis
assessment evaluation review comparison verdict recommendation recommendations answer question evidence data methodology method methods approach scope
definition description profile history origin origins timeline chronology milestone milestones development evolution future outlook forecast trend
trends status update news today current currently recent past early later late life career legacy death childhood work works benefit benefits
advantage advantages disadvantage disadvantages drawback drawbacks strength strengths weakness weaknesses downside downsides upside
upsides challenge challenges problem problems issue issues barrier barriers concern concerns criticism criticisms controversy controversies risk risks
safety side effect effects adverse event events tolerability efficacy effectiveness impact impacts implication implications consequence consequences
cause causes reason reasons driver drivers factor factors mechanism mechanisms action function functions feature features capability capabilities
property properties specification specifications spec specs design architecture structure component components implementation performance speed
benchmark benchmarks quality accuracy reliability durability scalability efficiency availability compatibility usability ease maintenance support
setup installation configuration usage use uses application applications example examples case cases practice practices guidance guideline guidelines
tip tips advice step steps procedure process price prices pricing cost costs fee fees budget economics finance finances financial revenue sales profit
profits earnings income market markets share shares stock demand supply growth competition competitor competitors customer customers user users
audience consumer consumers adoption reception popularity regulatory policy policies ownership leadership management organization organisation
operation operations production manufacturing distribution logistics technology science research study studies trial trials dosing dose dosage
administration diagnosis symptom symptoms prevention prevalence incidence epidemiology prognosis location geography capacity size weight dimension
dimensions range security privacy membership eligibility requirement requirements deadline penalty penalties enforcement exemption exemptions
licensing license tl dr tldr faq faqs alternative alternatives toll birthplace birth lesson lessons prospect prospects obstacle obstacles candidate
candidates knowledge portrait portraits remedy remedies solution solutions strategy strategies plan planning goal goals objective objectives mission
vision value values principle principles rule rules right rights duty duties exception exceptions condition conditions criteria criterion threshold
thresholds standard standards test tests testing measurement measurements metric metrics statistic statistics number numbers rate rates score scores
ranking rankings rating ratings course schedule duration frequency period start end beginning foundation founding formation construction opening
closure renovation discovery invention innovation breakthrough expansion decline recovery restoration conservation protection threat threats habitat
diet behaviour behavior reproduction appearance anatomy biology chemistry physics ecology genetics taxonomy composition ingredient ingredients taste
flavour flavor texture nutrition recipe preparation cooking serving integration integrations documentation tutorial tutorials reference compliance
audit transparency ethics bias fairness debate opinion opinions view views perspective perspectives critique praise reaction reactions response
responses coverage award awards honour honours honor honors prize prizes recognition achievement achievements record records final transfer tactics
style technique techniques theme themes character characters sound lyrics release reissue tour collaboration collaborations relationship relationships
travel travels aftermath reform reforms subsidy subsidies incentive incentives employment salary salaries wage wages working hours main key core major
important notable general overall total other others additional further more most best top common known quick short brief executive long term bottom
line what how why when where who it you your matter matters inc corp corporation co company ltd limited llc plc gmbh ag se sa nv und überblick
einleitung fazit zusammenfassung hintergrund vorteile nachteile kosten nutzen risiken ergebnis ergebnisse`);

/** Endings of abstract nouns, which are not names of things: "Sustainability", "Onboarding". */
const ABSTRACT =
  /(?:tion|tions|sion|sions|ment|ments|ness|ity|ities|ance|ences?|ing|ings|ability|logy|graphy|ship|ism|ics|ive|al|ous|ful|able)$/;

export const isAspect = (stem: string): boolean => ASPECTS.has(stem);
export const isAbstract = (word: string): boolean => ABSTRACT.test(word);
