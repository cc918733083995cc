import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

function sharedBy(one: string, other: string): string[] {
  const steps = [reported('provider-a', one, ['https://0.example/1']), reported('provider-b', other, ['https://1.example/1'])];
  const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
  return claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
}

describe('what one report adds that is no reservation about what both say', () => {
  it.each([
    ['Ada Roth, a former judge, leads the Kelm Bank', 'Ada Roth leads the Kelm Bank'],
    ['The Kelm queue only supports Zelin', 'The Kelm queue exclusively supports Zelin'],
    ['The Kelm library holds more than 13,000 books', 'The Kelm library holds over 13,000 books'],
    ['Karl Weil, who wrote 14 novels, moved to Graz in 1938', 'Karl Weil moved to Graz in 1938'],
    ['The Kelm canal, which opened in 1901, has 14 locks', 'The Kelm canal opened in 1901'],
    ['Karl Weil was a Stanford University professor from 1990 to 2001', 'Karl Weil was a Stanford professor from 1990 to 2001'],
    ['Ada Roth is an American Broadway actress and singer', 'Ada Roth is an American actress and singer'],
    ['Former England captain Karl Weil lives in England', 'Karl Weil lives in England'],
    ['Ada Roth, a claims adjuster by trade, won the Kelm Cup in 1990', 'Ada Roth won the Kelm Cup in 1990'],
    ['For fear of war Karl Weil moved to Graz in 1938', 'Karl Weil moved to Graz in 1938'],
    ['Known for his theory of tides, Karl Weil moved to Graz in 1938', 'Karl Weil moved to Graz in 1938'],
    ['Karl Weil argued the case, which the Kelm court decided in 1990', 'The Kelm court decided the case in 1990'],
    ['Partly funded by Norland, the Kelm canal opened in 1901', 'The Kelm canal opened in 1901'],
    ['Mostly known for Sund, Ada Roth wrote 14 novels', 'Ada Roth wrote 14 novels'],
    ['Outside of his work, Karl Weil collected stamps in Ulm', 'Karl Weil collected stamps in Ulm'],
    ["Only about 2 % of the Earth's water is fresh", "About 2 % of the Earth's water is fresh"],
    ['Only 40 houses of Ulm survived the fire of 1901', '40 houses of Ulm survived the fire of 1901'],
    ['The law bans smoking in bars and restaurants in Ulm', 'In Ulm, the law bans smoking in restaurants and bars'],
    ['The firm mixes oil with water in a tank in Ulm', 'The firm mixes water with oil in a tank in Ulm'],
    ['Ada Roth wrote letters from Graz to Karl Weil', 'Ada Roth wrote letters to Karl Weil from Graz'],
    ['In the book, Darwin described the finches of the Galapagos', 'Darwin described the finches of the Galapagos'],
    ['Provided with three engines, the Kelm ferry carries 400 cars', 'The Kelm ferry carries 400 cars'],
    ['Zelin was discovered in a paper on mice by Ada Roth in 1990', 'Zelin was discovered by Ada Roth in 1990'],
    ['After many of its ships sank, Kelm Line moved to Graz in 1938', 'Kelm Line moved to Graz in 1938'],
    ['Mount Orsk is the highest known mountain on Earth', 'Mount Orsk is the highest mountain on Earth'],
    ['The harvest field workers of Kelm lost 20 hectares in 1990', 'The harvest workers of Kelm lost 20 hectares in 1990'],
    ['The protest camp leaders of Kelm met 40 times in 1990', 'The protest leaders of Kelm met 40 times in 1990'],
    ['Orsk is the largest single glacier in Norland', 'Orsk is the largest glacier in Norland'],
    ['According to the 2020 census, Boise has 235,684 inhabitants', 'Boise has 235,684 inhabitants'],
    ['Boise has 235,684 inhabitants according to the 2020 census', 'Boise has 235,684 inhabitants'],
    ['Reports say that Zelin was approved by the FDA in May 2019', 'Zelin was approved by the FDA in May 2019'],
    ['Lena Brandt said in an interview that she left Siemens in 2014', 'Lena Brandt left Siemens in 2014'],
    ['The Nobel committee said that Ada Roth discovered Zelin in 1990', 'Ada Roth discovered Zelin in 1990'],
    [
      'Pfizer says its vaccine Comirnaty was given to 40 million people in 2021',
      "Pfizer's vaccine Comirnaty was given to 40 million people in 2021",
    ],
    ['After the death of her husband, Ada Roth won the Kelm Cup in 1990', 'Ada Roth won the Kelm Cup in 1990'],
    ['Together with his brother, Karl Roth founded the Kelm Bank in 1990', 'Karl Roth founded the Kelm Bank in 1990'],
    ['Larry Page and his partner Sergey Brin founded Google in 1998', 'Larry Page and Sergey Brin founded Google in 1998'],
    ['Opened in 1901, the Kelm canal has 14 locks', 'The Kelm canal was opened in 1901'],
    ['The founder of Apple and Pixar was Steve Jobs', 'Steve Jobs was the founder of Pixar and Apple'],
    ['Norland trades with Kelmia', 'Kelmia trades with Norland'],
    ['The tank leaks oil', 'Oil leaks from the tank'],
    ['Kelm wine is made and sold in Norland by monks', 'Kelm wine is made and sold by monks in Norland'],
    ['Apple and Pixar’s founder was Steve Jobs', 'Pixar and Apple’s founder was Steve Jobs'],
  ])('agrees whole: %s', (one, other) => {
    // A word that says no more may stand in what is shared: "only about 2 %".
    for (const shared of [sharedBy(`${one} [1].`, `${other} [1].`), sharedBy(`${other} [1].`, `${one} [1].`)])
      expect([`${one}.`, `${other}.`]).toContain(shared[0]);
  });

  it('may say of either of two what a passive joins', () => {
    const shared = sharedBy('Norland is linked to Kelmia by a ferry [1].', 'Kelmia is linked to Norland by a ferry [1].');
    expect(shared).toContain('Norland is linked to Kelmia.');
  });

  it.each([
    ['In the book, Karl Weil moved to Graz in 1938', 'Karl Weil moved to Graz in 1938'],
    ['Only members of the union, a club of Ulm, may vote in the Kelm election', 'Members of the union may vote in the Kelm election'],
    ['Critics say that Ada Roth discovered Zelin in 1990', 'Ada Roth discovered Zelin in 1990'],
    ['Ada Roth said Lena Brandt left Siemens in 2014', 'Ada Roth left Siemens in 2014'],
    ['Karl Weil claims that he left the club of Ulm in 2012', 'Karl Weil left the club of Ulm in 2012'],
    ['Provided that it rains, the Kelm ferry carries 400 cars', 'The Kelm ferry carries 400 cars'],
    ['Provided it rains, the Kelm ferry carries 400 cars', 'The Kelm ferry carries 400 cars'],
    ['According to rumours, Karl Weil moved to Graz in 1938', 'Karl Weil moved to Graz in 1938'],
    ['Allegedly, after a long illness, Karl Weil moved to Graz in 1938', 'Karl Weil moved to Graz in 1938'],
    ['Many critics, some of them from Ulm, say that Karl Weil moved to Graz in 1938', 'Karl Weil moved to Graz in 1938'],
    ['Many of its ships, all old, moved to Graz in 1938', 'Its ships moved to Graz in 1938'],
  ])('but does not agree where it is one: %s', (one, other) => {
    expect(sharedBy(`${one} [1].`, `${other} [1].`)).toEqual([]);
    expect(sharedBy(`${other} [1].`, `${one} [1].`)).toEqual([]);
  });
});
