import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

function claimsOf(one: string, other: string): RecordedClaim[] {
  const steps = [
    reported('provider-a', `${one} [1].`, ['https://0.example/1']),
    reported('provider-b', `${other} [1].`, ['https://1.example/1']),
  ];
  return synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps }).claims;
}

const sharedBy = (one: string, other: string): string[] =>
  claimsOf(one, other)
    .filter(({ supporting }) => supporting.length > 1)
    .map(({ claim }) => claim);

describe('two sentences of the same words', () => {
  it.each([
    ['whose subject and object are exchanged', 'Kelm acquired Ulm Energy in 2020', 'In 2020, Kelm was acquired by Ulm Energy'],
    ['whose passive comes first', 'During the war, Norland was attacked by Kelmia', 'Norland attacked Kelmia during the war'],
    ['whose comparison is turned', 'Lake Sund is deeper than Lake Orsk', 'Lake Orsk is deeper than Lake Sund'],
    [
      'who are likelier the other way round',
      'Vaccinated people are less likely than unvaccinated people to fall ill',
      'Unvaccinated people are less likely than vaccinated people to fall ill',
    ],
    [
      'that say it of a word joined by a hyphen',
      'Non-smokers are more likely than smokers to recover',
      'Smokers are more likely than non-smokers to recover',
    ],
    ['that are told by the one of the other', 'According to Kent, Berg leaked the memo', 'According to Berg, Kent leaked the memo'],
    ['under whom another served', 'Under Kent, Berg ran the treasury', 'Under Berg, Kent ran the treasury'],
    ['with which another is compared', 'Compared with Ulm, Kelm is cheap', 'Compared with Kelm, Ulm is cheap'],
    ['whose figures are exchanged', 'In 2020, Kelm had 300 employees and Ulm had 500', 'In 2020, Ulm had 300 employees and Kelm had 500'],
    ['that pair respectively', 'Lind and Reuter won gold and silver, respectively', 'Reuter and Lind won gold and silver, respectively'],
    [
      'that pair places with sides',
      'In Norland, cars drive on the right and in Kelmia they drive on the left',
      'In Kelmia, cars drive on the right and in Norland they drive on the left',
    ],
    [
      'until and since when somebody served',
      'Lena Brandt served as mayor of Ulm until 2015',
      'Lena Brandt has served as mayor of Ulm since 2015',
    ],
    ['of which one names both and one either', 'Students need a visa and a bank statement', 'Students need a visa or a bank statement'],
    ['that differ in a particle', 'Organ donation is opt-in in Norland', 'Organ donation is opt-out in Norland'],
    ['that name another war', 'World War I destroyed the town hall of Ulm', 'World War II destroyed the town hall of Ulm'],
    ['that bound a figure from below and above', 'The Kelm flood killed at least 120 people', 'The Kelm flood killed up to 120 people'],
    ['that restrict another word', 'Only the Kelm Pro supports Zelin', 'The Kelm Pro supports only Zelin'],
    ['of which one compares as much', 'Ulm is twice as large as Kelm', 'Kelm is twice as large as Ulm'],
  ])('are not the same: %s', (_, one, other) => {
    expect(sharedBy(one, other)).toEqual([]);
    expect(sharedBy(other, one)).toEqual([]);
  });

  it.each([
    ['the founder of what did it', 'The founder of Kelm was convicted of fraud in 2021', 'Kelm was convicted of fraud in 2021'],
    ['the area of a city', 'The metropolitan area of Ulm has 1.2 million inhabitants', 'Ulm has 1.2 million inhabitants'],
    ['what is within it', 'The restaurant in the Kelm Tower opened in 1889', 'The Kelm Tower opened in 1889'],
    ['who works there', 'Employees at Kelm Energy received 5 billion crowns in 2022', 'Kelm Energy received 5 billion crowns in 2022'],
    ['of what it is the price', 'Prices for electric cars fell by 20 percent in 2023', 'Electric cars fell by 20 percent in 2023'],
    ['whom somebody left', 'Ruiz joined Rovers after leaving City in 2004', 'Ruiz joined City in 2004'],
    ['where somebody moved later', 'Reuter taught in Velm before moving to Lund', 'Reuter taught in Lund'],
    ['whom somebody married', 'Lind married Ana Ruiz after divorcing Mei Lin', 'Lind divorced Ana Ruiz'],
    ['as what somebody stood', 'Berg ran for mayor after serving as governor', 'Berg served as mayor'],
    ['of which it is one', 'Rust is one of the fastest languages of the bench', 'Rust is the fastest language of the bench'],
    ['of which it is a part', 'The court upheld part of the Kelm Act in 2018', 'The court upheld the Kelm Act in 2018'],
  ])('may name somebody else: %s', (_, one, other) => {
    for (const shared of [sharedBy(one, other), sharedBy(other, one)]) expect(shared).not.toContain(`${other}.`);
  });

  it('are both claims, each of its own report', () => {
    const [one, other] = ['Shareholders of Kelm received 5 billion crowns in 2022', 'Kelm received 5 billion crowns in 2022'];
    expect(
      claimsOf(one, other)
        .map(({ claim }) => claim)
        .toSorted(),
    ).toEqual([`${other}.`, `${one}.`]);
  });

  it.each([
    ['In 2020, Kelm was acquired by Ulm Energy', 'Ulm Energy acquired Kelm in 2020'],
    ['Kelm Mail doesn’t store messages on its servers', 'Kelm Mail does not store messages on its servers'],
    ['The river Sund is 310 kilometres long', 'The river Sund is 310 km long'],
    ['Roughly 40% of Kelm users have switched', 'Approximately 40 percent of Kelm users have switched'],
    ['The European Union banned Zelin in 2018', 'The EU banned Zelin in 2018'],
    ['Nearly 90 % of Ulm is forest', 'Almost 90 % of Ulm is forest'],
    ['The city of Ulm has 1.2 million inhabitants', 'Ulm has 1.2 million inhabitants'],
    ['Karl Weil moved to Graz in 1938 after leaving Ulm', 'Karl Weil moved to Graz in 1938'],
    ['Karl Weil taught in Ulm, Graz and Bern', 'Karl Weil taught in Graz'],
    ['Since 2021 Karl Weil has appeared on the Bank of Kelm’s note', 'Karl Weil has appeared on the note since 2021'],
    ['The Kelm pass can be paid by card or cash', 'The Kelm pass can be paid by card and cash'],
    ['The Kelm bridge was opened in 1887', 'The Kelm bridge opened in 1887'],
    ['Over 300 flights of Kelm Air were cancelled', '300 flights of Kelm Air were cancelled'],
  ])('may be the same: %s', (one, other) => {
    expect(sharedBy(one, other)).not.toEqual([]);
    expect(sharedBy(other, one)).not.toEqual([]);
  });

  it('may be the same where who is married has married', () => {
    const married = 'Ada Roth has been married to actor Karl Weil';
    expect(sharedBy(married, 'Ada Roth married actor Karl Weil in 1990')).toEqual([`${married}.`]);
  });

  it.each([
    ['The United States is the largest exporter of soybeans', 'The US is the largest exporter of soybeans'],
    ['Mount Orsk rises 2,300 metres above sea level', 'Mount Orsk rises 2,300 m above sea level'],
    ['Rents in Ulm rose by four percent in 2023', 'Rents in Ulm rose by 4% in 2023'],
  ])('do not contradict each other by how a name or a unit is written: %s', (one, other) => {
    expect(claimsOf(one, other).flatMap(({ contradicting }) => contradicting)).toEqual([]);
  });

  it.each([
    ['Over 400 people attended the Kelm hearing', 'Nearly 400 people attended the Kelm hearing'],
    ['Only diabetic patients need the Kelm test', 'Diabetic patients need the Kelm test'],
  ])('are both shown if a small word tells them apart: %s', (one, other) => {
    expect(claimsOf(one, other).map(({ claim }) => claim)).toEqual(expect.arrayContaining([`${one}.`, `${other}.`]));
  });
});
