import type { Remark } from '@lib/synthesis/same-point/remark';
import { remarkOn } from './remark-on';

describe('an event whose year alone differs', () => {
  it('is told to differ where names and a figure are shared', () => {
    const one = 'Kelm climbed 59 places after merging with the Ulm Institute of Photonics in January 2024.';
    expect(remarkOn(one, 'The leap of Kelm by 59 places follows its union with the Ulm Institute of Photonics in January 2025.')).toBe(
      'dates differ',
    );
    expect(remarkOn(one, 'The leap of Kelm by 59 places follows its union with the Ulm Institute of Photonics in March 2025.')).not.toBe(
      'dates differ',
    );
  });

  it('may be another one where only plain words and a figure are shared', () => {
    const one = 'The bank raised the rate for savers by 25 points in January 2024.';
    expect(remarkOn(one, 'In January 2025 another 25 points were added to the rate for savers of the bank.')).not.toBe('dates differ');
  });
});

describe('figures that may both be right', () => {
  const ASKED = 'Who is the better scorer, Weil or Roth?';

  it.each<[string, string, string]>([
    ['The Kelm index has returned about 10% a year.', 'In 2022 the Kelm index lost 18%.', ''],
    ['Rates of Kelm loans are about 8%.', 'If rates drop to 5.5%, Kelm loans look better.', ''],
    ['Weil scored 22 goals in these matches.', 'Weil scored 970 goals in 1,320 matches.', ''],
    ['Weil has scored 145 goals for his club.', 'Roth has scored 118 goals for his club.', ASKED],
    ['Weil won the cup of 2022.', 'Roth has never won the cup.', ASKED],
    [
      'The trial found no effect on bone density, although strength improved.',
      'Bone density did not differ from placebo in the trial.',
      '',
    ],
  ])('are not told to differ: %s %s', (one, other, asked) => {
    for (const remark of [remarkOn(one, other, asked), remarkOn(other, one, asked)])
      expect(remark ?? '').not.toMatch(/differ|denies|opposite/);
  });

  it.each<[string, string, string]>([
    ['Rates of Kelm loans are about 8%.', 'Rates of Kelm loans are about 5.5%.', ''],
    ['Weil scored 970 goals in 1,320 matches.', 'Weil scored 915 goals in 1,320 matches.', ASKED],
  ])('and others are: %s %s', (one, other, asked) => {
    expect(remarkOn(one, other, asked)).toBe('figures differ');
  });
});

describe('what is told of each other', () => {
  it.each<[string, string]>([
    ['Ulm, Kelm and Tolm signed the code, while Orsk declined.', 'Orsk, Ulm and Tolm signed the code, Kelm declined.'],
    [
      'A jury convicted her on the counts of patients, acquitted her on those of investors.',
      'Convicted on investor counts; acquitted on patient counts.',
    ],
  ])('has the names of two verbs exchanged: %s', (one, other) => {
    expect(remarkOn(one, other)).toBe('names differ');
    expect(remarkOn(other, one)).toBe('names differ');
  });

  it.each<[string, string]>([
    [
      'Kelm was fined €500 million over fees, and Ulm €200 million over rents.',
      'The county fined Ulm €500 million over rents and Kelm €200 million.',
    ],
    [
      'The deal held $1.8 billion for families and $500 million for airlines.',
      'Of the deal, $1.8 billion was for airline customers and $500 million for families.',
    ],
    [
      'Kelm Cache is 33% below its rival for nodes and 20% below for serverless.',
      'It costs 20% less than its rival on nodes, and 33% less serverless.',
    ],
    [
      'In 2023 the agency put tolin in Group 1 and fenol in Group 2B.',
      'In 2023 the agency classified fenol in Group 1 and tolin in Group 2B.',
    ],
    ['Ground units averaged 3.1 and air units 4.1.', 'A mean of 3.1 for air and 4.1 for ground units was measured.'],
  ])('is exchanged: %s', (one, other) => {
    expect(remarkOn(one, other)).toBe('figures differ');
    expect(remarkOn(other, one)).toBe('figures differ');
  });

  it.each<[string, string]>([
    [
      'Kelm was fined €500 million over fees, and Ulm €200 million over rents.',
      'The county fined Ulm €200 million over rents and Kelm €500 million.',
    ],
    ['Kelm was fined €500 million, and Ulm €200 million.', 'Kelm has to pay €500 million; Ulm, which settled, €200 million.'],
    [
      'Trial A | Dose: 15 mg | Weeks: 72 weeks | Loss: 20.9% | Placebo: 3.1%',
      'Trial A | Treatment: 15 mg | Duration: 72 weeks | Mean loss: 20.9% | Placebo: 3.1%',
    ],
    ['Ulm and Kelm signed the code, while Orsk declined.', 'Ulm signed, Kelm signed, Orsk declined the code.'],
    [
      'The bank failed because it had funded long-dated bonds with uninsured deposits.',
      'Bonds were funded by uninsured deposits while rates rose.',
    ],
  ])('is not exchanged: %s', (one, other) => {
    expect(remarkOn(one, other)).not.toBe('figures differ');
    expect(remarkOn(other, one)).not.toBe('figures differ');
  });
});

describe('what is seen apart', () => {
  it.each<[Remark, string, string]>([
    ['figures differ', 'Staff may work from home up to three days a week.', 'Employees can work from home up to two days a week.'],
    [
      'one denies it',
      'With two ropes, after which the old mill can no longer be turned.',
      'The old mill stays usable at any time after the new sails have been turned.',
    ],
    ['one denies it', 'Rust is no longer a risk in the tanks of Kelm.', 'In old tanks rust remains a real risk.'],
    ['opposite words', 'Wooden masts are 30% cheaper than steel masts.', 'Steel masts cost less than wooden masts.'],
    ['opposite words', 'Tolin loses more strength in the cold than fenol.', 'Fenol loses more strength than tolin.'],
    ['opposite words', 'Oil heating is slower than gas heating.', 'Oil heating is faster than gas heating.'],
    ['dates differ', 'The agency approved Tolin for adults in June 2021.', 'Regulators cleared Tolin in June 2022.'],
    ['dates differ', 'The reactor of Kelm opened in 2018.', 'The reactor of Kelm started operation in 2015.'],
    ['figures differ', 'The canal of Kelm is 193 km long.', 'Its length is 120 km.'],
    ['figures differ', 'The term was extended by 12 months.', 'The term was extended by three additional months.'],
    ['figures differ', 'Patients regained two thirds of the weight.', 'Patients regained weight: only about a fifth.'],
    ['figures differ', 'The filter must be replaced every six months.', 'Replace the filter once a year.'],
    ['figures differ', 'The filter must be replaced every week.', 'Replace the filter twice every week.'],
    [
      'figures differ',
      'A certificate is needed from the third day of absence.',
      'Staff need a certificate from the fourth day of absence.',
    ],
    ['figures differ', 'The API listens on port 8081.', 'The HTTP API listens on port 8080.'],
    ['one denies it', 'API tokens never expire.', 'API tokens expire after 90 days.'],
    ['names differ', 'Webhooks are signed with HMAC-SHA256.', 'All webhooks are signed with HMAC-SHA512.'],
    ['dates differ', 'The first mills had to comply by 7 March 2023.', 'The first mills were required to comply by 7 March 2024.'],
    [
      'dates differ',
      'The board moved the deadline for dams from 2029 to 2027.',
      'The board moved the deadline for dams from 2029 to 2031.',
    ],
    ['names differ', 'Ulm completed its purchase of Kelm Mills in 2025.', 'Orsk completed its purchase of Kelm Mills in 2025.'],
    [
      'names differ',
      'An inquiry chaired by Sir Otto Fenn-Holt sat on 4 May 2024 in Tolm.',
      'It was chaired by Dame Ida Brand; it sat in Tolm on 4 May 2024.',
    ],
    ['names differ', 'Ida Holt, who joined from Ulm, became chief in May.', 'Ida Holt, formerly of Kelm, became chief in May.'],
    ['names differ', 'Otto Fenn had moved to the University of Ulm in 1948.', 'Otto Fenn moved to Kelm in 1948.'],
    ['names differ', 'Ada Fenn apologised for the state in May 2009.', 'Ida Holt apologised for the state in May 2009.'],
    ['opposite words', 'In July the court annulled the fine.', 'The court dismissed the action in July.'],
    [
      'opposite words',
      'Kelm sold its half of the mill in 2013 for €1.7 million.',
      'In 2013 Kelm bought the half of the mill for €1.7 million.',
    ],
    [
      'one denies it',
      'Holt pleaded not guilty to fraud and was convicted.',
      'Holt pleaded guilty in 1952 and accepted a fine instead of prison.',
    ],
    [
      'one denies it',
      'Scanning of faces in squares by police is banned outright, without exceptions.',
      'Scanning faces by police in squares is barred with narrow exceptions.',
    ],
    [
      'figures differ',
      'The pill should be stopped at least two weeks before an operation on the knee.',
      'Stop the pill at least two months before an operation on a knee.',
    ],
    [
      'figures differ',
      'The board recommends it for adults aged 50 to 75 at a risk of 10%.',
      'The board recommends it at ages 40–75 and a risk of 10%.',
    ],
    [
      'names differ',
      'Kelm announced in May 2025 that the tool would move to the Holt Foundation.',
      'In May 2025 Kelm announced the move of the tool to the Fenn Foundation.',
    ],
    [
      'names differ',
      'In the bay of 79,000 tonnes, bottles make up about 46% of the mass.',
      'Nets account for 46% of the mass in the bay of 79,000 tonnes.',
    ],
    [
      'names differ',
      'Kelm came first with about 36% of all waste, ahead of Tolm.',
      'Ulm leads with around 36% of all waste, followed by Tolm.',
    ],
    ['figures differ', 'A track must reach 1,000 streams within a month.', 'A track needs 1,000 streams in twelve months.'],
    [
      'opposite words',
      'Fasting days tripled the rate of falls in the trial.',
      'In the trial fasting days roughly doubled the rate of falls.',
    ],
    ['opposite words', 'Holt and Fenn shared the prize for 1944.', 'The prize for 1944 went to Holt alone.'],
    [
      'one denies it',
      'In 2022 the board decided against funding Kelm for the county.',
      'The board funded Kelm in 2022 as the cheaper mill.',
    ],
    [
      'one denies it',
      'The board read the letters in 2021 and decided against adding a warning to the label.',
      'In 2021 the board added a warning after 40 letters.',
    ],
    ['one denies it', 'The board has never put a warning on Tolin and its relatives.', 'In 2019 the board gave Tolin a boxed warning.'],
    ['opposite words', 'Judge Ida Holt upholds the levy on boats.', 'In August 2021 Ida Holt ruled that the levy was unconstitutional.'],
    ['opposite words', 'A jury of Kelm found Ida Holt guilty of fraud.', 'The trial ended with the acquittal of Ida Holt.'],
    ['opposite words', 'Ida Holt was convicted of fraud at Kelm.', 'The acquittal of Ida Holt at Kelm was a surprise.'],
    ['opposite words', 'The judges of Kelm were unanimous in the case of Holt.', 'The judges of Kelm were split in the case of Holt.'],
    ['opposite words', 'The court upholds the levy on boats.', 'The levy on boats is unlawful, the court ruled.'],
    ['opposite words', 'The court of Kelm struck down the levy.', 'The court of Kelm upheld the levy.'],
    ['opposite words', 'The court upheld the levy by four votes to three.', 'The court unanimously upheld the levy.'],
    [
      'figures differ',
      'A ferry of Kelm is on time if it arrives less than six minutes late, as in Ulm.',
      'Kelm counts a ferry as on time if it arrives less than three minutes late, not six minutes as Ulm does.',
    ],
    [
      'figures differ',
      'Yields from year six on averaged close to 88%, and in year eleven were still 82%.',
      'Yields in years 6 to 11 averaged about 80%, and were near 82% in year 11.',
    ],
    ['dates differ', 'The credit for cars ended for purchases after 30 June 2026.', 'The credit for cars ended on 30 September 2025.'],
    [
      'figures differ',
      'Symptoms came in 51% after stopping the drug for 79 patients and 17% after stopping placebo.',
      '31% versus 17%: symptoms of 79 patients after stopping the drug or a placebo.',
    ],
    ['figures differ', 'The trial found only 12 of 21 pills better than placebo.', 'The trial found all 21 pills better than placebo.'],
    [
      'figures differ',
      'In 1960 the lake was the second-largest of the world by area.',
      'By area the lake was the fourth-largest of the world.',
    ],
    [
      'figures differ',
      'It began in a kitchen on the second floor near a cooker.',
      'The fire began near the cooker of a kitchen on the fourth floor.',
    ],
    ['opposite words', 'The line opened in May, days after the games in Tolm.', 'The line opened nine days before the games in Tolm.'],
    ['names differ', 'The plane entered service with Ulm Air in May 1974.', 'The plane entered service with Kelm Lines in May 1974.'],
    [
      'names differ',
      'The engine is written in Orskel and holds its index in a tree.',
      'The engine is written in Tolmic and holds its index in a tree.',
    ],
  ])('is told as "%s": %s', (seen, one, other) => {
    expect(remarkOn(one, other)).toBe(seen);
    expect(remarkOn(other, one)).toBe(seen);
  });

  it.each<[string, string, string]>([
    ['what goes on elsewhere', 'Rust is no longer a risk in tanks.', 'Frost remains a risk in winter.'],
    ['approvals of two drugs', 'The agency approved Tolin for adults in June 2021.', 'Regulators cleared Fenol for adults in June 2022.'],
    ['one comparison from both ends', 'Wooden masts are cheaper than steel masts.', 'Steel masts cost more than wooden masts.'],
    ['comparisons of two measures', 'Wooden masts are cheaper than steel masts.', 'Steel masts are lighter than wooden masts.'],
    [
      'the first and a later approval',
      'The agency first approved Tolin in June 2021.',
      'Regulators approved Tolin for children in June 2022.',
    ],
    [
      'a denial with "without"',
      'The code ends if the phone is not used for 57 days.',
      'After 57 days without using the phone the code ends.',
    ],
    ['two cities', 'Ulm will see a partial eclipse of more than 99%.', 'Kelm will see a partial eclipse of about 94%.'],
    ['a war and days', 'The Six-Day War closed the canal.', 'Ships waited for five days at the canal in the war.'],
    ['one frequency in other words', 'The filter is replaced every six months.', 'Replace the filter twice a year.'],
    ['frequencies of two things', 'Every year 5,000 people visit Kelm.', 'The mill of Kelm is open twice a week.'],
    ['two weeks and half a month', 'The committee of Kelm meets twice a month.', 'The committee of Kelm meets every two weeks.'],
    ['one port', 'The API listens on port 8080.', 'The HTTP API of Kelm listens on port 8080.'],
    ['identifiers behind other words', 'All webhooks of Kelm are signed with A256.', 'All webhooks of Kelm are signed for X512.'],
    ['a month and what may be', 'Works on the dam may begin in 2026.', 'Works on the dam began in 2024.'],
    ['years of a range', 'Holt read law at Ulm and was elected fellow in 1935.', '1931–35 | Event: Ulm; elected fellow'],
    [
      'what somebody says',
      'Police said charges are unlikely before the end of 2026.',
      'In 2024 police said 19 firms were under investigation.',
    ],
    [
      'another event of one life',
      'Holt was born in Tolm, read law, and took a doctorate at Ulm in 1938.',
      'Holt, born in Tolm in 1912, read law.',
    ],
    ['about as much', 'The sea was the warmest in 407 years in May.', 'In May the sea was the warmest in about 400 years.'],
    [
      'versions',
      'Kelm reached 1.2 million requests with version 8.0.',
      'Kelm reached 1.2 million requests, up from 360,000 with version 7.2.',
    ],
    ['two outcomes', 'Nausea affected 44% of adults.', 'Vomiting affected 25% of adults.'],
    ['rows of two things', 'Base amount | Kelm: £7,500', 'Ground source | Kelm: £25,000'],
    [
      'a cause that is only held against it',
      'Warming of the sea drives it, with winds as an amplifier rather than the root cause.',
      'Warming of the sea by coal is the main cause.',
    ],
    [
      'what goes on behind a denial',
      'The union has not listed the reef as in danger.',
      'The union considered, but has not imposed, a listing of the reef in danger.',
    ],
    ['parents and their child', 'Ada was the only child of Otto Holt.', 'Parents: Otto Holt'],
    ['a list of kinds', 'Data types | Kelm: Strings, hashes, lists', 'Data types | Kelm: Rich values'],
    ['values of two years', '2015 | Share of new cars: about 17%', '2021 | Share of new cars: 64.5%'],
    ['two editions of a survey', 'In the 2024 edition Kelm was admired by 73%.', 'Admired (2025) | Kelm: 62.4%'],
    [
      'one range',
      'Estimates run from about 0.5 to more than 10 million tonnes.',
      'Estimates run from half a million to more than ten million tonnes.',
    ],
    [
      'figures of two units',
      'A single yearly dose of 500,000 units raised falls by 15% and fractures by 26% in 2,256 women.',
      'Single doses can backfire: in a trial of 2,256 women, 500,000 units once a year led to 26% more fractures.',
    ],
    ['what is less certain', 'The effects on workers remain less certain.', 'The effects on workers remain uncertain.'],
    [
      'who is advised against it',
      'A draft advised against pills for older people.',
      'The board proposed to advise older people living at home against pills.',
    ],
    [
      'what was lost and won',
      'The suit was dismissed in January, but has been revived.',
      'The society sued, lost in January, and later won leave to revive the suit.',
    ],
    ['who leads and who follows', 'Kelm was the largest source, followed by Ulm.', 'The list of sources is led by Kelm.'],
    ['a stable release', 'The compiler, stable since May, adds caching.', 'Caching by hand is eased by the compiler.'],
    [
      'one name in two forms',
      'The US National College found evidence of harm to the kidneys in 2022.',
      'The United States College found evidence in 2022 of harm to the kidneys.',
    ],
    ['rows of two things', 'First delivery | Date: 15 October 2007, Kelm Lines', 'First flight | Date: 25 October 2007, Kelm Lines'],
    ['a day without its year', 'Holt was confined on 30 July 1865 and died on 13 August.', '13 August 1865: Holt died, confined.'],
    [
      'two things around a launch',
      'Engineers found a leak two days before the launch.',
      'The crew saw the Earth rise two days after the launch.',
    ],
    [
      'all that signed and some that ratified',
      'All 27 member states signed the treaty in 2007.',
      'By mid-2008 18 of 27 member states had ratified the treaty.',
    ],
    [
      'all that took part and some that answered',
      'All 21 patients in the trial completed the course of therapy.',
      'In the trial 12 of 21 patients responded to the therapy.',
    ],
    [
      'who clears a purchase',
      "Vodafone's acquisition of the cable networks of Liberty was cleared in 2019.",
      'The European Commission cleared the acquisition of the cable networks of Liberty in 2019.',
    ],
    [
      'who sues to stop it',
      'In 2023 the Federal Trade Commission sued to stop the acquisition of Activision.',
      'In 2023 Microsoft completed its acquisition of Activision.',
    ],
    ['two spans', 'The population of Tolm doubled from 1950 to 1980.', 'Between 1950 and 2000 the population of Tolm tripled.'],
    ['two goods', 'Imports of solar panels doubled in 2022.', 'Imports of batteries tripled in 2022, and those of solar panels rose too.'],
    ['two events after one', 'The probe entered orbit six months after launch.', 'The probe lost an antenna six days after launch.'],
    [
      'two groups of patients',
      'Patients were treated with chemotherapy at the low dose in three hospitals.',
      'A second group of patients was treated without chemotherapy in three hospitals at the low dose.',
    ],
    [
      'a conviction and its charges',
      'The appeals court quashed the conviction of Reed for fraud.',
      'The appeals court dismissed the charges of fraud against Reed.',
    ],
    [
      'an election that was lost and annulled',
      'The court annulled the election of Rao in May.',
      'The ruling party lost the election to Rao in May.',
    ],
    [
      'a thing alone',
      'The discovery alone would have merited a prize, colleagues said.',
      'The prize was shared by three chemists for the discovery.',
    ],
    [
      'what was bought and later sold',
      'Nokl sold the unit to Sirex for $300 million in 2015.',
      'Nokl had bought the unit for $300 million in 2009.',
    ],
    ['two things traded', 'In 2015 Nokl sold its stake of $300 million to Sirex.', 'In 2015 Nokl bought a phone maker for $300 million.'],
    [
      'two who came from elsewhere',
      "Norvik's chief executive Ingrid Sol joined from Statkraft in 2020 after a long career in hydropower.",
      "Norvik's finance chief Per Lund joined from Equinor in 2020 after a long career in hydropower.",
    ],
    [
      'who was replaced',
      'Ann Hall replaced the former Barclays executive Jon Rowe as chair of the bank in May 2014.',
      'Ann Hall, a former Lloyds manager, became chair of the bank in May 2014.',
    ],
    [
      'who designed and who built',
      'The old bridge was designed by Otto Wels and opened to traffic in 1911.',
      'The bridge was built by Krupp and opened to traffic in 1911.',
    ],
    [
      'two studies',
      'Researchers at Stanford University tested the drug on mice with stroke in spring.',
      'Researchers at Duke University tested the drug on rats with stroke in autumn.',
    ],
    [
      'one of several spans',
      'The station was closed from 2018 to 2020 and the line from 2018 to 2021 for works.',
      'The line was closed from 2018 to 2021 for works at the station.',
    ],
    ['rows of two years', '2016 | Event: Kelm stops; the licence of Ulm follows', '2020 | Event: the licence of Ulm ends'],
    [
      'what was only expected',
      'The total of births rose rather than fell, to over one million a year.',
      'Many expected the total of births to fall.',
    ],
    ['nobody and none', 'Nobody died of the sickness.', 'Deaths from the sickness | Number: 0'],
    [
      'what each gave and what all did',
      'Ulm and Kelm put in more than $50 million apiece, Tolm nearly as much, and Orsk the remainder.',
      'Ulm, Kelm, Tolm and Orsk spent more than $200 million on it.',
    ],
    ['what one of several gave', 'Kelm: $52 million', 'Yes | Roughly: Over $200 million | Main sources: Ulm, Kelm, Tolm, Orsk'],
    [
      'a share that one holds alone',
      'Kelm alone holds about 3.1 quotas, more than all of Tolm.',
      'Orsk has the largest share, 4.4 quotas, of which Kelm holds 3.1.',
    ],
    ['two short forms of one name', 'Licence | Kelm: BSL', 'Licence | Kelm: BUSL 1.1 since August 2023'],
    [
      'a rise after a fall',
      'Growth resumed: sales were 74.3 million in 2024.',
      'In 2017 sales fell by 8%, but in 2024 sales reached a record of 74 million.',
    ],
    [
      'parts of one whole',
      'In 2024 Kelm added about 30 GW of solar and just over 10 GW of storage.',
      'In 2024 the county of Kelm added about 49 GW, including 30 GW of solar and over 10 GW of storage.',
    ],
    [
      'two parts of a series',
      'The Phase 2 report (4 September 2024, about 1,700 pages) explained it.',
      'Holt published the Phase 1 report in October 2019 and the Phase 2 report on 4 September 2024.',
    ],
    [
      'large and small',
      'Large firms must report by 30 June 2025 for the first time.',
      'Small firms must report by 30 June 2027 for the first time.',
    ],
  ])('is not told of %s', (_, one, other) => {
    const told = ['one denies it', 'dates differ', 'figures differ', 'names differ', 'opposite words'];
    expect(told).not.toContain(remarkOn(one, other));
    expect(told).not.toContain(remarkOn(other, one));
  });
});

it.each([
  ['More than 200 people died in the blast of Kelm.', 'At least 218 people died in the blast of Kelm.', false],
  ['More than 200 people died in the blast of Kelm.', 'At least 260 people died in the blast of Kelm.', true],
  ['More than 230 people died in the blast of Kelm.', 'At least 218 people died in the blast of Kelm.', true],
  ['More than 300 people died in the blast of Kelm.', 'At least 218 people died in the blast of Kelm.', true],
])('a round number from which on something was is none other than one a little above it: %s %s', (one, other, differs) => {
  expect([remarkOn(one, other), remarkOn(other, one)].map((remark) => remark === 'figures differ')).toEqual([differs, differs]);
});
