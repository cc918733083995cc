import { synthesize } from '@lib/synthesis/synthesize';
import { reported } from './steps';

/** The claims that two reports are said to agree on. */
function sharedBy(one: string, other: string): string[] {
  const steps = [reported('provider-a', one, []), reported('provider-b', other, [])];
  const { claims } = synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps });
  return claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
}

describe('what is said of a second subject that shares the verb of the first', () => {
  it.each<[string, string]>([
    ['Oslo offers grants for five years, Bergen for three years.', 'Oslo offers grants for three years.'],
    ['Apple launched the phone in March 2024, Samsung in April 2024.', 'Apple launched the phone in April 2024.'],
    ['Line 1 runs every five minutes, line 2 every ten minutes.', 'Line 1 runs every ten minutes.'],
    ['Germany exports more cars than France.', 'France exports more cars.'],
    ['The Kestrel 3 is cheaper than the Sorano.', 'The Sorano is cheaper.'],
    ['Oslo offers grants for five years and Bergen for three years.', 'Oslo offers grants for three years.'],
    ['Gas fell by 3 % in May and coal by 8 %.', 'Gas fell by 8 %.'],
    ['The museum opens at nine and the library at ten.', 'The museum opens at ten.'],
    ['Sorano guarantees the battery for ten years, the others for eight years.', 'Sorano guarantees the battery for eight years.'],
    ['Kelmol costs 20 euros in Spain, Ulmol 30 euros in Italy.', 'Kelmol costs 30 euros in Italy.'],
    ['The city pays teachers in cash, plumbers by card.', 'The city pays teachers by card.'],
    ['The museum opens at nine on weekdays, the library at ten.', 'The museum opens at ten.'],
    ['Ada Kelm won gold in the slalom, Eva Ulm in the downhill.', 'Ada Kelm won gold in the downhill.'],
  ])('is not said of the first, nor the other way round: %s', (one, other) => {
    expect(sharedBy(one, other)).not.toContain(other);
    expect(sharedBy(other, one)).not.toContain(other);
  });

  it('is not said to follow or precede the first', () => {
    const [one, other] = [
      'Norway followed in June 2004, then Italy, Scotland (2006) and England (2007).',
      'Norway followed within months, Scotland in 2006, and England in 2007.',
    ];
    for (const claim of [...sharedBy(one, other), ...sharedBy(other, one)]) expect(claim).not.toMatch(/Norway.*(?:Scotland|England)/);
  });

  it.each<[string, string]>([
    ['Oslo offers grants for five years, Bergen for three years.', 'Oslo offers grants for five years.'],
    ['The plant produces steel and aluminium for the car industry.', 'The plant produces steel for the car industry.'],
    ['Ada Kelm sang in Spain, France and Italy in summer.', 'Ada Kelm sang in Spain in summer.'],
    ['The law bans smoking in bars and restaurants in Ulm.', 'The law bans smoking in bars in Ulm.'],
    ['The firm offered training, guidance and oversight to its workers in 2019.', 'The firm offered training to its workers in 2019.'],
    ['Ada Kelm taught physics and chemistry at Ulm University.', 'Ada Kelm taught physics at Ulm University.'],
    ['Ada Kelm was born in Ulm, Germany, in 1956.', 'Ada Kelm was born in 1956.'],
    ['Ada Kelm studied physics in Ulm, Germany in 1956.', 'Ada Kelm studied physics in 1956.'],
  ])('does not hinder what is said of the only or the first one: %s', (one, other) => {
    expect(sharedBy(one, other)).toContain(other);
  });
});
