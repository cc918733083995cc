import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { areApart, thingsHeldAgainst, thingsIn } from '@lib/synthesis/same-point/asked-things';
import type { Remark } from '@lib/synthesis/same-point/remark';
import type { ComparedClaim } from '@lib/synthesis/same-point/claim-features';
import { Remarks } from '@lib/synthesis/same-point/remarks';
import { sharedFigures, figuresAndDaysIn } from '@lib/synthesis/same-point/shared-figures';
import fc from '../support/properties';

const NOTHING = readingOf('');
const claim = (text: string): ComparedClaim => ({ reading: readingOf(text), supporting: [] });
const remarkBetween = (one: ComparedClaim, other: ComparedClaim): Remark | null => new Remarks(NOTHING).between(one, other);

describe('what a report remarks on two claims on the same point', () => {
  it.each<[Remark | null, string, string]>([
    ['figures in common', 'Children cannot take large tablets at 40 mg.', 'Large 40 mg tablets are for children too.'],
    ['one denies it', 'The bank has no plans for a share sale.', 'A share sale of the bank starts in June.'],
    ['one denies it', 'Written consent is not needed from a neighbour.', 'The neighbour must give his consent.'],
    ['one denies it', 'The great map was never finished.', 'Ada completed the great map in 1919.'],
    ['figures differ', 'The rent of the mill stays at $220 a month.', 'The rent of the mill was raised from $220 to $240 a month.'],
    ['same figures', 'The rent of the mill was $220 a month.', 'The rent of the mill was raised from $220 to $240 a month.'],
    ['same figures', 'The rent of the mill stays at $240 a month.', 'The rent of the mill was raised from $220 to $240 a month.'],
    [null, 'Each person may buy up to 15,000 crowns a year.', 'The yearly limit is 10,000 crowns per person.'],
    ['same figures', 'Each person may buy up to 15,000 crowns a year.', 'The yearly limit is 15,000 crowns per person.'],
    ['opposite words', 'Rovers were beaten 3–1 at Kelm.', 'Rovers won 3–1 at Kelm.'],
    ['opposite words', 'Captain Orsk was acquitted in May.', 'In May Captain Orsk was found guilty.'],
    ['opposite words', 'The hall at Tolm opened on schedule.', 'At Tolm the hall opened half a year late.'],
    ['opposite words', 'Noise at the pier stayed below the limit.', 'The noise limit was exceeded at the pier.'],
    ['opposite words', 'The council argued strongly against the tram.', 'The council spoke in favour of the tram.'],
    [
      'opposite words',
      'Captain Otto Fenn led the crew in the last hour and was killed.',
      'Otto Fenn, who was in charge of all boats, recovered.',
    ],
    [null, 'A wall of brick costs 6 to 10 dB.', 'A wall costs 10 dB of the signal.'],
    [null, 'Greyhounds sleep 16 to 18 hours a day.', 'Most sleep up to 18 hours daily.'],
    [null, 'Deductions are between 5% and 25%.', 'Deductions reach 25%.'],
    ['same figures', 'Revenue of Kelm fell 12% to $11.1 billion.', 'Revenue of Kelm: $11.1 billion, down 12%.'],
    ['same figures', 'Deductions are between 5% and 25%.', 'The seller deducts 5–25%.'],
    ['other names', 'Otto Fenn resigned within days.', 'Ida Holt clung to her office.'],
    ['same figures', 'Rovers beat Kelm 3–1.', 'Kelm were beaten 3–1 by Rovers.'],
    ['opposite words', 'The council recommends tablets for children.', 'For children the council recommends against tablets.'],
    ['opposite words', 'Kelm posted a loss of $11 million.', 'Kelm posted a profit of $11 million.'],
    [null, 'The trial, which had 400 people, is not licensed for children.', 'A trial for children is recruiting.'],
    [null, 'A rent may not be raised more than once a year.', 'One rise of the rent a year is allowed.'],
    [null, 'The last part has yet to be sunk.', 'The last part is due to be sunk in September.'],
    [null, 'Rovers led with 53 to 49 at the end.', 'At the end 41 was their rank.'],
    ['one denies it', 'None of the boats crossed the bay.', 'All boats crossed the bay.'],
    ['one denies it', 'The tests that were run in May found no leak.', 'In May tests found a leak.'],
    [null, 'Sony supports LDAC but not aptX.', 'Sony has LDAC.'],
    [null, 'Bids of the town rose, and nobody asked why.', 'Bids of the town rose.'],
    ['one denies it', 'No toll for boats.', 'The toll on boats is low.'],
    ['one denies it', 'No elms in the park have been cut.', 'Some 420 old elms were felled for the tram.'],
    ['one denies it', 'None of the insurers covers floods.', 'Insurers offer cover for floods of the Kelm.'],
    ['one denies it', 'The bridge is strengthened rather than replaced.', 'The bridge is torn down and replaced.'],
    ['one denies it', 'Cases go to the county court, not to the tenants’ board.', 'The tenants’ board hears all cases.'],
    ['one denies it', 'Nine bodies were buried without being identified.', 'All bodies were identified.'],
    [null, 'If no insurer covers floods, the county pays.', 'Insurers offer cover for floods.'],
    [null, 'No insurer covers floods.', 'Insurers may cover floods.'],
    [null, 'No other insurer covers floods.', 'Few insurers cover floods.'],
    [null, 'The bridge is strengthened rather than replaced.', 'To strengthen the bridge costs more than it costs when it is replaced.'],
    ['opposite words', 'Sales in the zone were unchanged.', 'Sales in the zone dropped.'],
    ['opposite words', 'Old scripts run unchanged on Kelm 4.', 'On Kelm 4 each script has to be rewritten.'],
    ['opposite words', 'The chief of Kelm was dismissed in March.', 'In March the chief of Kelm stepped down.'],
    ['opposite words', 'Kelm settles its bills 34 days late.', 'Kelm pays bills on time.'],
    ['opposite words', 'The drug was turned down by the board.', 'The board approved the drug.'],
    ['one denies it', 'The report has no going-concern warning.', 'The report doubts that Kelm is a going concern.'],
    ['opposite words', 'Women and men benefit equally.', 'Men gained twice as much as women.'],
    ['opposite words', 'Cholesterol was hardly affected.', 'The drug lowers cholesterol.'],
    [null, 'Sales in the zone did not drop.', 'Sales in the zone were unchanged.'],
    [null, 'The tax is not constant.', 'The tax went up.'],
    [null, 'Kelm sells boats for lakes, rivers, canals and seas not open to ships.', 'Kelm sells boats for lakes.'],
    ['figures in common', 'The dam did not hold 40 tons.', 'The dam failed at 40 tons.'],
    ['same figures', 'Rent is $500 a month or $6,000 a year.', 'Rent is $6,000, $500 a month.'],
    ['same figures', 'Rent is $500 with heat per month.', 'Rent is $500 per year with heat.'],
    [null, 'Zelin is contraindicated in pregnancy.', 'Zelin must not be used in pregnancy.'],
    [null, 'Doses above 150 mg are not recommended.', 'The maximum daily dose is 150 mg.'],
    ['one denies it', 'Kelm pays no tax in Norland.', 'Kelm pays tax in Norland.'],
    [null, 'There was no significant difference between the halves.', 'Both halves were alike.'],
    ['figures differ', '2000 people died.', '3000 people died.'],
    ['figures differ', 'The tower has 1,665 steps.', 'The tower has 1710 steps.'],
    [null, 'At no cost the town mends roofs.', 'Roofs are mended by the town.'],
    [null, 'Roofs, at no cost to owners, are mended by the town.', 'The town mends roofs.'],
    ['figures differ', 'Prices were cut by up to $9,800, and start at $35,000.', 'After a cut by up to $7,600 prices start at $35,000.'],
    ['figures in common', 'Prices start at $35,000, by a cut of $9,800.', 'At $35,000 prices start, and delivery is by the week for $400.'],
    ['figures differ', 'Some 1,950 people died.', 'Some 1,782 people died.'],
    ['figures in common', 'Some 1,950 people died, and 9,000 others were hurt.', 'Some 9,000 others were hurt on 40 ships.'],
    ['same figures', 'Four in ten fitters of Kelm buy it.', 'It is bought by 40 % of the fitters.'],
    ['figures differ', 'Two thirds of the voters said no.', 'Some 40 % of all voters said no.'],
    [null, 'They met four in ten days.', 'They met on 40 % of the days.'],
    ['same figures', 'Five of the eleven men left.', 'Five men out of eleven had gone.'],
    ['figures in common', 'Five of the eleven men left.', 'Six of the eleven men had gone.'],
    ['same figures', 'Some 1,950 people died, and 9,000 had wounds.', 'Some 9,000 people were hurt.'],
    ['figures differ', 'Rents went from 12 % to 19 %.', 'Rents went from 19 % to 12 %.'],
    ['same figures', 'Rents went from 12 % to 9 % and from 9 % to 4 %.', 'Rents went from 12 % to 9 %.'],
    ['same figures', 'Zelin went to 412 adults.', 'Data come from 412 adults.'],
    ['same figures', 'Guests pay 40 crowns in a week.', 'Guests pay 40 crowns in a month.'],
    ['figures differ', 'Guests pay 40 crowns a week.', 'Guests pay 40 crowns a month.'],
    ['same figures', 'Guests pay 40 crowns a week, and 40 crowns a month for meals.', 'Guests pay 40 crowns a month for meals.'],
    ['opposite words', 'Prices fell by 10 %.', 'Prices are up 10 %.'],
    ['same figures', 'Poison held up the dig for 9 months.', 'The dig lost 9 months to poison.'],
    ['opposite words', 'A $480 million bond passed in May.', 'Voters rejected the $480 million bond.'],
    ['opposite words', 'The trial met its first goal in men.', 'In men the trial missed the first goal.'],
    [null, 'Half of the demand comes from abroad.', 'The grant lifted the whole market in Ulm.'],
    [null, 'The factory in Ulm closed.', 'The factory lies far from Ulm.'],
    [null, 'Sales peaked in spring.', 'Sales declined in June.'],
    [null, 'The dividend is not changed.', 'It left the dividend unchanged.'],
    // One measure told otherwise, in whatever words.
    ['figures differ', 'The gross margin fell to 42.7 % by a change of stock.', 'Gross margin: 43.7 %, down from 44.6 %'],
    ['figures differ', 'Shares gained 34 % over twelve months of trade.', 'Shares of the firm fell by 12 %.'],
    ['figures differ', 'Year-end backlog stood at $2.7 billion.', 'The backlog reached a record $3.1 billion.'],
    [null, 'In the fourth quarter the gross margin was 42.7 %.', 'Gross margin: 43.7 %'],
    ['other names', 'The successor was Tomas Eklund for a quarter.', 'Successor: Paolo Rosetti'],
    ['dates differ', 'The engine was shown with 40 tons in May 2021.', 'The engine was shown with 40 tons in June 2021.'],
    ['names differ', 'The contract is held by Bradwell, and costs 40 million.', 'The contract was held by Kestrel for 40 million.'],
    ['names differ', 'Fans voted Novotny player of 2020.', 'Fans voted Kamara player of 2020.'],
    ['names differ', 'The successor was Tomas Eklund.', 'Successor: Paolo Rosetti'],
    ['other names', 'One successor was Tomas Eklund.', 'The successor was Paolo Rosetti.'],
    ['other names', 'The successors were Eklund and Rosetti.', 'The successors were Grimes and Holm.'],
    [null, 'The successor was T. Eklund.', 'Successor: Tomas Eklund'],
    [null, 'The successor was Tomas Eklund, and Rosetti left.', 'The successor was Rosetti.'],
    ['same figures, other names', 'For the whole mill Orbanet paid 40 million.', 'The mill went to Veridian for 40 million.'],
    ['figures in common, other names', 'For 3 mills Orbanet paid 40 million.', 'The mill and 9 boats went to Veridian for 40 million.'],
    ['other names', 'In spring the sale of the mill to Orbanet ended.', 'In spring the mill was sold by Kelm to Veridian.'],
    ['same figures', 'Orbanet paid 40 million for the mill.', 'The mill went to the firm Orbanet for 40 million.'],
    ['figures differ', 'Falls came with it more often, 4.6 % against 2.0 %.', 'Falls were rare (2.1 % versus 2.0 %).'],
    ['figures in common', 'Falls came with it more often, 4.6 % against 2.0 %.', 'Falls were 2.0 %, and pain came in 9.1 %.'],
    [null, 'Deno denies all access by default.', 'Deno is locked unless you grant access.'],
    ['opposite words', 'Deno denies all access.', 'Deno grants access.'],
    [null, 'The list price is high, and plans demand a letter.', 'The supply of a month has a high list price.'],
    ['same figures', 'Aldering gained 52 seconds on the climb to Kelm.', 'Benvenuti lost 52 seconds on the climb to Kelm.'],
    ['opposite words', 'Aldering gained 52 seconds on the climb.', 'Aldering lost 52 seconds on the climb.'],
    // Two times are of two events where nothing tells that these are one.
    ['dates differ', 'The maker stopped selling tablets in March 2024.', 'The sale of tablets was stopped by the maker in March 2025.'],
    ['dates differ', 'Ida Holt of Tolm drew the map in 1952.', 'In 1951 Ida Holt came from Tolm.'],
    [null, 'The mill of Kelm was begun in 2007.', 'Kelm joined the grid in 2024.'],
    ['same figures', 'By early 1953 she had two strands.', 'In late February 1953 she had two strands.'],
    ['same year', 'At the end of 2019 the bank had deposits.', 'In 2019 the bank had deposits of start-ups.'],
    [null, 'The 2024 sale gave rights to boats.', 'Of rights none were given in 2023, and boats got theirs in 2024.'],
    ['one denies it', 'The 2024 sale gave rights to boats.', 'In 2024 no rights were given to boats.'],
    [null, 'The post of guard stood empty.', 'The firm had no guard in that post.'],
    [null, 'Men were put on tablets, on soup or on no change.', 'Men were put on tablets, on cuts of their soup or on no change.'],
    ['opposite words', 'Their weight did not change on tablets.', 'Their weight fell on tablets.'],
    [null, 'A single stolen map gave the answer.', 'They stole the double map book.'],
    ['opposite words', 'A single map was stolen.', 'A double map was stolen.'],
    [null, 'The law encouraged a less assertive stance of guards.', 'The law discouraged an assertive stance of guards.'],
    [null, 'Boats last 25–35 years, and mills 60 or more.', 'A mill lasts 60 years or more, against 25 to 35 for a boat.'],
    ['same figures', 'Sugar fell by 0.3 points.', 'Sugar: −0.3 points'],
    [null, 'The bank raised rates to above 4.5 %.', 'The bank raised rates by more than four per cent.'],
    [null, 'Drinkers of tea lost weight.', 'Tests found overweight in drinkers of tea.'],
    ['same figures', 'Kelm lost 12 kg of weight.', 'Kelm gave up sugar and is now 12 kg lighter.'],
    // What is asked for is told of neither, and what is told of one thing is not of another.
    [null, 'The museum agreed to return the mask in May 2021.', 'Heirs of the mask sued the museum in March 2020.'],
    ['dates differ', 'Approval of the heart valve came in May 2021.', 'The heart valve won approval in May 2022.'],
    ['dates differ', 'The mud dam of Tolm failed in May 2021.', 'Tolm broke through its mud dam in May 2022.'],
    [null, 'The first ferry of Tolm sailed in May 2020.', 'A ferry of Tolm sailed in June 2021.'],
    [null, 'Tolm set grain prices for January 2026.', 'Tolm set grain prices in June 2025.'],
    [null, 'Between 2018 and 2022 Tolm rebuilt harbour walls.', 'Harbour walls of Tolm were rebuilt in 2023.'],
    ['dates differ', 'In 2022 Tolm rebuilt harbour walls.', 'Harbour walls of Tolm were rebuilt in 2023.'],
    [null, 'Tolm built the deep lock, cheap in 2015 prices.', 'Tolm built the deep lock in 2019.'],
    [null, 'The choir of Tolm: an abbey choir since 2018.', 'In 2021 the abbey left the choir of Tolm.'],
    ['dates differ', 'The 40 m lock of Tolm reopened on 3 May 2024.', 'On 9 June 2024 the lock of Tolm, 40 m wide, reopened.'],
    ['figures differ', 'Kelm settled the claim a month later for $202 million.', 'Kelm paid $102 million for the claim.'],
    ['same figures', 'The cat had 6.8 versus 5.0 kg.', 'The cat had 6.8 kg and a hat.'],
    [null, 'Two crashes shook Kelm.', 'Over Kelm flight 610 crashed.'],
    [null, 'The bridge took eleven years.', 'The bridge was seven years late.'],
    ['figures differ', 'The bridge took eleven years.', 'The bridge took seven years.'],
    [null, 'It pays in 3 years, against a life of 20 or more.', 'Its life is 20 years or more.'],
    [null, 'A new synthesis found better memory.', 'Better memory was found in a new analysis.'],
    [null, 'Sugar fell, and hours of sleep rose.', 'Tablets raised hours of sleep.'],
    ['opposite words', 'Hours of sleep fell.', 'Tablets raised hours of sleep.'],
    [null, 'The mill side matters equally.', 'The boat side is less settled.'],
    ['opposite words', 'Men and women benefited equally.', 'Men gained twice as much as women.'],
    [null, 'The cook was dismissed.', 'The cook, hired for a feast, was sacked.'],
    ['opposite words', 'The bakers won their tax challenge.', 'The tax challenge of the bakers was dismissed.'],
    [null, 'Now illegal parking rules became strict.', 'Checks of parking became strict rules.'],
    [null, 'The pier had no fender against ships.', 'How soon other piers will get a fender.'],
    ['one denies it', 'The pier had no fender against ships.', 'The pier has a fender for ships.'],
    [null, 'Firms may not expand the mill.', 'The terms have limits on firms that expand the mill.'],
    ['one denies it', 'Landlords can no longer refuse balcony plants.', 'Landlords can refuse balcony plants without a reason.'],
    [null, 'A careful cook should use little or no salt.', 'It is a proof, not a hint for a careful, young cook.'],
    ['one denies it', 'OSPREY found no clear difference between glues.', 'OSPREY: 20 % with resin versus 13 % with starch.'],
    [null, 'A trial found no clear difference between glues.', 'OSPREY: 20 % with resin versus 13 % with starch.'],
    // One alone has the part.
    ['names differ', 'The oak tower was designed and built by Ida Holt.', 'Otto Fenn designed the oak tower.'],
    ['names differ', 'It was Otto Fenn who designed the oak tower.', 'The oak tower was designed by Ida Holt.'],
    ['other names', 'The oak tower was designed by Ida Holt.', 'Otto Fenn designed the brick mill.'],
    ['names differ', 'The oak engine was built at Orbanet.', 'The oak engine was created at Veridian.'],
    ['other names', 'The oak engine was sold in Tolm.', 'The oak engine was also sold in Kelm.'],
    ['names differ', 'Ida Holt died at sea, aged 40, of typhus.', 'At sea Ida Holt died of cholera.'],
    ['same figures', 'The great poet died at 40 of typhus.', 'Of typhus the great poet died at 40.'],
    ['names differ', 'Ida Holt was the keeper of the year.', 'The keeper of the year was Otto Fenn.'],
    ['other names', 'Ida Holt was the keeper of the year in 2019.', 'In 2021 Otto Fenn was the keeper of the year.'],
    ['names differ', 'She painted at Tolm under Otto Fenn.', 'She painted at Tolm under Ida Holt.'],
    ['other names', 'She painted at Tolm under Otto Fenn.', 'She painted at Tolm; under Ida Holt, Kelm fell.'],
    // Not the same deed, or done together.
    [null, 'Holt wrote the first part of the great song.', 'Fenn wrote the second part of the great song.'],
    [null, 'Holt beat Fenn in the last race at sea.', 'Kelm beat Holt in the last race at sea.'],
    [null, 'Holt showed that tea is good for cats.', 'Fenn showed that tea is good for cats.'],
    [null, 'Holt found the old mill empty.', 'Monks of Kelm founded the old mill.'],
    [null, 'Holt and Fenn built the oak tower by the sea.', 'The oak tower by the sea was built by Holt and Fenn.'],
    [null, 'Cats died of cold or heat in the trial.', 'Cats died of heat or cold in the trial.'],
    [null, 'He died, of course, in bed at sea.', 'He died of fever in bed at sea.'],
    ['other names', 'They won the league under Otto Fenn.', 'They won the league under Ida Holt.'],
    [null, 'In the test there was no difference in sleep.', 'In the test 20 % versus 10 % had a headache.'],
    ['figures differ', 'In the week before the vote 20 % were ill.', 'In the week before the vote 40 % were ill.'],
    ['figures differ', 'On that flight 189 people died.', 'On that flight 157 people died.'],
    ['dates differ', 'The cook was jailed for arson in 2019.', 'The cook was jailed for arson in 2021.'],
    ['one denies it', 'There is no time limit on claims.', 'Claims have a time limit of a year.'],
    ['figures differ', 'Whether it works or not, tea costs 40 dollars.', 'Tea costs 60 dollars.'],
  ])('%s: %s', (seen, one, other) => {
    expect(remarkBetween(claim(one), claim(other))).toBe(seen);
    expect(remarkBetween(claim(other), claim(one))).toBe(seen);
  });

  it.each(['The share rose from 12 % to 19 % in 2020 and fell from 19 % to 12 % in 2021.', 'Rent is $500 a month and $500 a week.'])(
    'is the same for a copy: %s',
    (sentence) => expect(remarkBetween(claim(sentence), claim(sentence))).toBe('same figures'),
  );

  it('is nothing that differs for a sentence and its copy', () => {
    const words = 'fell rose not no by from to 12 % 19 40 crowns a week month per year prices up down in 2020 and $500 cannot'.split(' ');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 14 }), (picked) => {
        const one = claim(`Kelm ${picked.join(' ')}.`);
        expect([null, 'same figures', 'same year', 'figures in common']).toContain(remarkBetween(one, one));
      }),
    );
  });
});

describe('figures that two claims tell alike', () => {
  const count = (one: string, other: string, asked: Reading = NOTHING): number =>
    sharedFigures(figuresAndDaysIn(readingOf(one), asked), figuresAndDaysIn(readingOf(other), asked));

  it.each([
    [2, 'It costs $40 for 12 people.', 'Some 12 people pay $40.'],
    [1, 'It has 12 % of men, 12 % of women and 12 % of cats.', 'It is 12 %.'],
    [0, 'The 2022 models came.', 'The 2022 budget fell.'],
    [0, 'It won 3 of them.', 'It lost 3 of those.'],
    [0, 'It runs on Windows 7 at work.', 'She has Windows 7 at home.'],
    [0, 'Its 2022 models came.', 'Those 2022 models fell.'],
    [1, 'It came on 5 May 2020.', 'On May 5, 2020, it left.'],
    [0, 'It came in 2020.', 'In 2020 it left.'],
  ])('%i: %s', (expected, one, other) => {
    expect(count(one, other)).toBe(expected);
    expect(count(other, one)).toBe(expected);
  });

  it('are none that the question tells', () => {
    expect(count('It costs $600 and has 12 GB.', 'With 12 GB it is $600.', readingOf('Which has 12 GB for $600?'))).toBe(0);
    expect(count('Ioniq 5 owners pay.', 'Some Ioniq 5 owners left.', readingOf('Is the Ioniq 5 good?'))).toBe(0);
    expect(count('It burned on 5 May 2020.', 'It sang on 5 May 2020.', readingOf('What happened on 5 May 2020?'))).toBe(0);
  });
});

describe('things that a question holds against each other', () => {
  const apart = (question: string, one: string, other: string): boolean => {
    const things = thingsHeldAgainst(readingOf(question));
    return areApart(thingsIn(readingOf(one), things), thingsIn(readingOf(other), things));
  };

  it.each([
    ['Should I buy the Tolm K2 or the Arven Q7?', 'The Tolm folds.', 'Arven phones fold.'],
    ['Is the Tolm K2 a better buy than the Arven Q7?', 'The Tolm folds.', 'Arven phones fold.'],
    ['How do oat milk and soy milk differ?', 'Oat milk keeps.', 'Soy milk keeps.'],
    ['Is Tolm or Arven cheaper, and is Tolm older than Arven?', 'Tolm is old.', 'Arven is old.'],
    ['Are electric cars or diesel vans cheaper?', 'Electric ones are.', 'Vans are.'],
  ])('are two: %s', (question, one, other) => expect(apart(question, one, other)).toBe(true));

  it.each([
    ['Are electric cars or diesel vans cheaper?', 'Electric ones are.', 'Cars are.'],
    ['What should I see in Lisbon, Portugal?', 'Lisbon has trams.', 'Portugal has trams.'],
    ['How do oat milk and soy milk differ?', 'Milk keeps.', 'Soy milk keeps.'],
    ['Is Kelm or its rival Orsk cheaper for families in Norland?', 'Orsk is cheap.', 'Norland is cheap.'],
    ['How did Kelm do in 2025, and is the plan of Ada Roth working?', 'Kelm grew.', 'Roth is pleased.'],
    ['Is it more than 10 years since Croatia joined the European Union?', 'Croatia joined.', 'The European Union grew.'],
  ])('are none or one: %s', (question, one, other) => expect(apart(question, one, other)).toBe(false));
});
