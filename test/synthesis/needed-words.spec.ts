import { synthesize } from '@lib/synthesis/synthesize';
import type { Synthesis } from '@lib/synthesis/synthesis';
import { expectVerbatim, reported } from './steps';

const PROVIDERS = ['provider-a', 'provider-b', 'provider-c'] as const;
const step = (report: string, at: number) =>
  reported(PROVIDERS[at] ?? 'provider-d', report, [`https://${String(at)}.example/1`, `https://${String(at)}.example/2`]);

const synthesisOf = (...reports: string[]): Synthesis => answerTo('What is new?', ...reports);
const answerTo = (query: string, ...reports: string[]): Synthesis =>
  synthesize({ query, mode: 'fast', tier: 'L', steps: reports.map(step) });

/** What both of two reports say. */
const sharedBy = (...reports: string[]): string[] =>
  synthesisOf(...reports)
    .claims.filter(({ supporting }) => supporting.length > 1)
    .map(({ claim }) => claim);

describe('a claim of several reports ends before nothing that its words need', () => {
  it.each([
    [
      'what somebody agreed to do',
      'The harbour board of Kelm agreed in May 2021 to dredge the northern channel with its own money [1].',
      'The harbour board of Kelm agreed in May 2021 to lease two tugs from a yard in Graz [1].',
    ],
    [
      'where something is forbidden',
      'Kelm prohibited glass bottles in its parks in 2018 [1].',
      'In Kelm, the sale of glass bottles has been prohibited at the stadium [1].',
    ],
    [
      'what rose',
      'Ferris Radio reported a jump of over 300% in nightly storm calls when the dam broke, and a fund for the village passed 5 million crowns [1].',
      'Radio use jumped, with Ferris reporting a rise of around 300% in calls, and a fund for the village passed five million crowns [1].',
    ],
    [
      'of what somebody pays a share',
      'Tolls can reach 15 crowns or 3% of weekly net pay, whichever is higher [1].',
      'Tolls for hauliers can reach 3% of gross weekly income or 15 crowns, whichever is higher [1].',
    ],
    [
      'what is compared',
      'The comparison was made with a Ferris kiln in 2019 [1].',
      'The comparison was made with a Ferris kiln in 2019, when coal was cheap [1].',
    ],
    [
      'up to where something grew',
      'Irrigated land in the basin rose from roughly 4.5 million hectares in 1960 to about 8 million [1].',
      'Irrigated land in the basin grew from about 4.5 million hectares in 1960 to some 7 to 9 million today [1].',
    ],
    [
      'to whom something is recommended',
      'The medical board of Ulm recommends a statin at ages 40 to 75 with one risk factor [1].',
      'The medical board of Ulm recommends a statin for people with diabetes of any age [1].',
    ],
    [
      'for what somebody has time',
      'The Commission has six months to comment on each draft and states another six to finish it [1].',
      'The European Commission proposed the law in June 2022. The Commission then has six months to comment, and states another six to publish the final version [1].',
    ],
    [
      'what there is evidence of',
      'The United States National Academies found sufficient evidence for raised cholesterol, lower birth weight and kidney cancer [1].',
      'The US National Academies found sufficient evidence in 2022 of an association with a reduced antibody response [1].',
    ],
    [
      'what somebody argued',
      'Matthew Cobb and Ada Roth argued in 2023, from a draft of an article, that she was an equal member [1].',
      'Matthew Cobb and Ada Roth argued in 2023, in a long letter to a journal, that nobody had been robbed [1].',
    ],
    [
      'why something was done',
      'The trim system MCAS was added because the larger, heavier engines of Kelm changed the handling [1].',
      'The trim system MCAS was added because the larger, wider cabin of Ulm moved the centre of mass [1].',
    ],
  ])('nor tells less than %s', (_, one, other) => {
    expect(sharedBy(one, other)).toEqual([]);
  });

  it('nor tells less than what came in the place of something, whatever the question names', () => {
    const { claims } = answerTo(
      'How do Sweden, Norway and Denmark differ in parental leave?',
      'Sweden replaced maternity leave with parental insurance in 1974, Norway introduced the first quota in 1993.',
      'Sweden replaced maternity leave with parental leave in 1974, the first country to do so.',
      'In 1974 Sweden became the first country to replace maternity leave with gender-neutral parental leave.',
    );
    expect(claims.map(({ claim }) => claim)).toContain('Sweden replaced maternity leave with parental leave in 1974.');
    expect(claims.map(({ claim }) => claim)).not.toContain('Sweden replaced maternity leave.');
  });

  it.each([
    [
      'In 1926 Ada Roth became the first woman in Norland with the title of a professor of physics [1].',
      'In 1926 Ada Roth became the first woman in Norland to hold the title of a professor of physics [1].',
      'In 1926 Ada Roth became the first woman in Norland with the title of a professor of physics.',
    ],
    [
      'The community edition of Tolmdex is MIT-licensed, while some newer functions, notably sharding, belong to an enterprise edition [1].',
      "Tolmdex's Community Edition is under the MIT licence, while some newer enterprise functions, such as sharding, carry another one [1].",
      "Tolmdex's Community Edition is under the MIT licence.",
    ],
    [
      'Lake Kelm is the deepest lake in Norland, with a maximum depth of 1,642 metres (5,387 ft) [1].',
      'With a maximum depth of about 1,642 metres, Lake Kelm in the north is the deepest lake of Norland [1].',
      'Lake Kelm is the deepest lake in Norland.',
    ],
  ])('and tells as much as is whole: %s', (one, other, shared) => {
    expect(sharedBy(one, other)).toEqual([shared]);
  });

  it.each([
    [
      'a purpose',
      'The guild of Ulm moved its old archive to Graz',
      ' to save the rent of a house [1].',
      ', where it was flooded twice [1].',
    ],
    ['a time', 'The lake of Ulm reported a drop of 14%', ' in two years [1].', ', as anglers had feared [1].'],
  ])('though it may end before %s', (_, beginning, one, other) => {
    expect(sharedBy(beginning + one, beginning + other)).toEqual([`${beginning}.`]);
  });

  it('has "and" before the last verb that is left of several', () => {
    expect(
      sharedBy(
        'The council of Ulm drained the marsh, widened the coast road, and planted limes on it [1].',
        'The council of Ulm drained the marsh, widened the coast road, and sold the old mill [1].',
      ),
    ).toEqual(['The council of Ulm drained the marsh and widened the coast road.']);
  });

  it('has none before what is told besides', () => {
    const [claim] = sharedBy(
      'The council of Ulm drained the marsh, followed by its neighbours, and planted limes [1].',
      'The council of Ulm drained the marsh, followed by its neighbours, and sold the mill [1].',
    );
    expect(claim ?? '').not.toContain('and followed');
  });

  it('begins with a capital where what stood before it is left out', () => {
    expect(
      sharedBy(
        '- **Deaths:** eleven people died in Ferris and two in Kelm, where abnormal gusts hit the pier [1].',
        'Eleven inhabitants of Ferris lost their lives, as did two people on a beach in Kelm [1].',
      ),
    ).toEqual(['Eleven people died in Ferris and two in Kelm.']);
  });

  it('is quoted with the sign of its last figure', () => {
    const reports = [
      'The foundry of Ulm sold bells worth 14% (by its own books) in May [1].',
      'Last year the foundry of Ulm sold bells worth 14% [1].',
    ];
    const synthesis = synthesisOf(...reports);
    expectVerbatim(synthesis, reports.map(step));
    const quotes = synthesis.claims.flatMap(({ supporting }) => (supporting.length > 1 ? supporting.map(({ quote }) => quote) : []));
    expect(quotes.filter((quote) => /14(?!%)/.test(quote))).toEqual([]);
    expect(quotes).not.toEqual([]);
  });
});

describe('a part of a sentence', () => {
  it('is not said of who only found it out', () => {
    const claims = sharedBy(
      'The survey office of Kelm concluded in June 2021 that lead is a rare find in wells, affecting up to 1 in 900 homes [1].',
      '- **Water:** the survey office of Kelm concluded in June 2021 that lead is a rare find in wells [1], affecting up to 1 in 900 homes [2].',
    );
    expect(claims).toEqual([
      'The survey office of Kelm concluded in June 2021 that lead is a rare find in wells, affecting up to 1 in 900 homes.',
    ]);
  });

  it('shares the auxiliary before it where it tells by whom something is done', () => {
    expect(
      sharedBy(
        'The Ulm Gazette is free of charge and backed by a savings bank [1].',
        'The Ulm Gazette is printed in Kelm and backed by a savings bank [1].',
      ),
    ).toEqual(['[The Ulm Gazette is] backed by a savings bank.']);
  });
});

describe('another sentence does not say', () => {
  it('when one thing happened by telling when another did', () => {
    const claims = sharedBy(
      'The coal barge Hanna lost its rudder and hit the north tower at about 6:40 a.m. on 3 May 2021 [1].',
      'The lock of Kelm gave way at about 6:40 a.m. on 3 May 2021, after the coal barge Hanna had lost its rudder in the current and hit the north tower [1].',
    );
    expect(claims.filter((claim) => claim.includes('6:40'))).toEqual([]);
    expect(claims).not.toEqual([]);
  });

  it('what is to be done by naming it as one of two', () => {
    expect(
      sharedBy('The cistern of Ulm should be drained [1].', '**Drain or take advice:** the cistern of Ulm, wells and ponds [1].'),
    ).toEqual([]);
  });
});
