import { PROVIDERS } from '@lib/domain/vocabulary';
import { synthesize } from '@lib/synthesis/synthesize';
import { claimsOf, reported } from './steps';

describe('who is spoken of', () => {
  it.each([
    [
      'who has a pronoun in the sentence before rather than a judge named since',
      `The sculptor Vera Holm had taught in Basel for years when she was expelled in 1938. Chancellor Otto Kern signed the letter of 1938. The school kept 12 of the busts. The
museum was asked to pay her 900 francs. She emigrated to Chile in 1939.`,
      '[Vera Holm] emigrated to Chile in 1939.',
    ],
    [
      'the pupil whom the teacher trained',
      'Vera Holm was born in Basel in 1900. Lund trained her until 1921. She opened a studio of 12 rooms in Bern.',
      '[Vera Holm] opened a studio of 12 rooms in Bern.',
    ],
    [
      'the teacher, where the pupil is called otherwise',
      'Vera Holm was born in Basel in 1900. She moved to Bern in 1921. Jan Lund worked with her until 1930. He designed the fountain of Bern.',
      '[Jan Lund] designed the fountain of Bern.',
    ],
    [
      'whom "him" of the sentence before stands for',
      `Carl Denton won the cup in 1950. He was born in Ulm. Walter Grimes coached the team until 1960. Under him, the team won 52 games.
He moved to Graz in 1961.`,
      '[Walter Grimes] moved to Graz in 1961.',
    ],
    [
      'the subject between a year and a comma',
      'Vera Holm was born in Basel in 1900. In 1931 she was elected to the academy of Bern, on which she served for eight years.',
      'In 1931 [Vera Holm] was elected to the academy of Bern, on which she served for eight years.',
    ],
    [
      'the thing behind a participle, whose name begins with an article',
      'Completed in 1607, the Kelm Bridge is the oldest of Ulm. It has 11 arches.',
      '[The Kelm Bridge] has 11 arches.',
    ],
    [
      'the thing behind a participle of a verb that has an object or none',
      'Opened in 1887, the canal is 14 km long. It has 11 locks.',
      '[The canal] has 11 locks.',
    ],
  ])('is %s', (_, report, claim) => {
    expect(claimsOf(report, 'Who was the sculptor Vera Holm?')).toContain(claim);
    expect(claimsOf(report)).toContain(claim);
  });

  it.each([
    ['what was made or who made it', 'Kelm Labs released Zelin 4 in 2023. It blocks 40 trackers.', '[Kelm Labs]'],
    ['nothing, where it rains', 'Mount Orsk is 2,300 metres high. It rained during the first ascent of 1901.', '[Mount Orsk]'],
    ['what is asked after', 'Mount Orsk is 2,300 metres high. It is not known who built the hut of 1901.', '[Mount Orsk]'],
    ['who did it', 'Mount Orsk is 2,300 metres high. It was Karl Weil who mapped the peak in 1901.', '[Mount Orsk]'],
  ])('is left open: %s', (_, report, wrong) => {
    expect(claimsOf(report).filter((claim) => claim.startsWith(wrong))).toEqual([]);
  });

  it('is not one of two who may be meant', () => {
    const report = `The sculptor Vera Holm had taught in Basel when she was expelled in 1938. Chancellor Kim Kern signed the letter of 1938.
The museum was asked to pay her 900 francs. She emigrated to Chile in 1939.`;
    expect(claimsOf(report).filter((claim) => claim.includes('emigrated'))).toEqual([]);
  });

  it('is nobody of another section, but whoever is asked about', () => {
    const report =
      '## Work\n\nVera Holm grew crystals in Basel. Jan Thaxter got the Kelm medal in 1961.\n\n## Honours\n\nShe was made a fellow of Ulm in 1972 [1].';
    expect(claimsOf(report, 'Who was Vera Holm, and why was she not named?')).toContain('[Vera Holm] was made a fellow of Ulm in 1972.');
    expect(claimsOf(report, 'What is known of crystals?').filter((claim) => claim.includes('fellow'))).toEqual([
      '[Honours:] She was made a fellow of Ulm in 1972.',
    ]);
  });

  it('is not somebody whom the sentence before has left for another', () => {
    const report = `Dario Vuksan scored 67 goals for Ulm in 1931. Kelm's number one, Matteo Ferraris, missed both legs of 1931. He served a ban of 3 weeks.
His stand-in kept out 8 of 19 shots.`;
    expect(claimsOf(report, 'How did Ulm beat Kelm?')).toContain('[Matteo Ferraris] served a ban of 3 weeks.');
    expect(claimsOf(report, 'Who won the final between Galeb Lukovo and Kelm?').filter((claim) => claim.startsWith('['))).toEqual([]);
  });

  it('is no score', () => {
    const report = 'Most of the drama of Ulm came late. It was 9–9 with three minutes to go in Ulm.';
    expect(claimsOf(report).filter((claim) => claim.includes('drama of Ulm]'))).toEqual([]);
  });

  it('is not several who dissented together', () => {
    const report = 'The dissenters, Professors Lund and Kern, argued for a new vote in 1931. She declined the chair of botany in 1932.';
    expect(claimsOf(report).filter((claim) => claim.includes('declined'))).toEqual([]);
  });
});

describe('what is spoken of', () => {
  it.each([
    ['entered into force on 4 May 1950', '[The Forest Ordinance] entered into force on 4 May 1950.'],
    ['took effect in the spring of 1950', '[The Forest Ordinance] took effect in the spring of 1950.'],
    ['appointed twelve foresters in 1951', '[The parliament of Ulm] appointed twelve foresters in 1951.'],
  ])('is what can have “%s”', (said, claim) => {
    expect(claimsOf(`The parliament of Ulm passed the Forest Ordinance by 40 votes to 3 in 1949. It ${said}.`)).toContain(claim);
  });

  it.each([
    ['a council without a law', 'The council of Ulm met 12 times in 1949. It entered into force on 4 May 1950.', 'into force'],
    ['an act with employees', 'The Forest Act was passed in 1949 by all parties. It has 85 employees and a budget.', '85 employees'],
    ['several for "it"', 'Sonatas cost up to 20 thalers in 1790. It was adopted in 1795 by the court of Ulm.', 'was adopted'],
    ['people for "it"', 'People with a weak heart should not climb to 3000 m. It was closed for children under 12.', 'was closed'],
    ['what does not act', 'Maintenance was weak in the first 5 years. By 1990 it announced a plan of 12 points.', 'announced'],
    [
      'a complaint that appeals',
      'Complaints by neighbours of the mill rose by 12 % in 1950. They appealed to the court of Ulm.',
      'appealed',
    ],
    ['what was added to it', 'Colour at night was added in model 3. It is suitable for 12 kinds of wedding.', 'suitable'],
    ['what contained a fault', 'Model 3 contained a lens that broke in frost. It was repaired in the year 1990.', 'repaired'],
  ])('is not %s', (_, report, said) => {
    expect(claimsOf(report).filter((claim) => claim.includes(said))).toEqual([]);
  });

  it('goes on behind a sentence that speaks of something else in another number', () => {
    const report = 'The Riverton Comets won the title in 2014. It was the first title of the club. They were coached by Walter Grimes.';
    expect(claimsOf(report)).toContain('[The Riverton Comets] were coached by Walter Grimes.');
  });
});

describe('"it" where the question names a thing', () => {
  const question = 'How large is Zelin?';

  it.each([
    [
      'who approved it',
      'The Norland regulator MHRN approved it on 16 November 1950. In Norland it costs $2.2 million per patient.',
      'costs',
      question,
    ],
    ['what reaches it', 'A radio signal takes 23 hours to reach it. It has 3 engines.', 'has 3 engines', 'How far is the probe?'],
    ['a profit', 'Operating profit was 18 million francs. It employs about 31,000 people.', 'employs', question],
    ['what a name is said to be', 'The capital is Ulm. It has about 31,000 inhabitants.', 'inhabitants', 'How large is it?'],
    ['the cause', 'The trigger was a speech by Kern. It had been built in August 1961.', 'been built', 'Why did the Zelin Wall fall?'],
    ['one of many', 'The largest measured fox was 2 metres long. Its diet consists of 40 kinds of fish.', 'diet', 'What do foxes eat?'],
  ])('is not %s', (_, report, said, query) => {
    expect(claimsOf(report, query).filter((claim) => claim.includes(said))).toEqual([]);
  });

  it.each([
    ['a name', 'The sailor bought Corvid. Corvid was sold in 1950. It has 31 engines.', '[Corvid] has 31 engines.', question],
    ['one word', 'The ship was sold in 1950. It has 31 engines of iron.', '[The ship] has 31 engines of iron.', question],
    ['two words', 'The new section is 68 metres long. It has 31 gates.', '[The new section] has 31 gates.', question],
    [
      'a lake',
      'Weilsee is 163 m deep, making it the deepest lake of Norland. It has 31 islands.',
      '[Weilsee] has 31 islands.',
      'How deep is Weilsee?',
    ],
    ['a letter', 'The letter must say why the tenant needs it. It has 31 lines.', '[The letter] has 31 lines.', question],
    ['a result', 'The result was adjusted for age. It was published in 1950.', '[The result] was published in 1950.', question],
    ['a landmark', 'The Kelm Tower is Ulm’s landmark. It has 31 floors.', '[The Kelm Tower] has 31 floors.', question],
    ['what is Norse', 'Zelin is Norse. It has 31 gates of iron.', '[Zelin] has 31 gates of iron.', question],
    [
      'what it asks about',
      'The steam engine weighs 9 tons. It has 31 valves.',
      '[The steam engine] has 31 valves.',
      'Has Zelin a steam engine?',
    ],
    [
      'a thing, of a person',
      'The steam engine weighs 9 tons. It has 31 valves.',
      '[The steam engine] has 31 valves.',
      'Who was Vera Holm?',
    ],
    [
      'what makes something easy',
      'The sailor bought Corvid. Corvid makes it easy to sail. It has 31 engines.',
      '[Corvid] has 31 engines.',
      question,
    ],
    ['what is said of itself', 'The ship sank when it hit ice. It had 31 engines of iron.', '[The ship] had 31 engines of iron.', question],
    [
      'the oldest asked about',
      'The oldest fox is 9 years old. It eats 40 mice a day.',
      '[The oldest fox] eats 40 mice a day.',
      'What is the oldest fox?',
    ],
  ])('may still be %s', (_, report, claim, query) => {
    expect(claimsOf(report, query)).toContain(claim);
  });
});

describe('a name that looks like a pronoun', () => {
  it.each([
    'He Lanfen was sent to prison for 3 years in Ulm.',
    'In 2018 He Lanfen was sent to prison for 3 years.',
    'It Ends with Kelm was sold 40,000 times in Ulm.',
  ])('stays: %s', (report) => {
    expect(claimsOf(`The method was published by Vera Holm in 2012. ${report}`, 'Who invented Zelin?')).toContain(report);
  });

  it('is what the next "he" stands for', () => {
    const report = 'He Lanfen was born in Ulm in 1984. He was sent to prison for 3 years.';
    expect(claimsOf(report, 'Who invented the method?')).toContain('[He Lanfen] was sent to prison for 3 years.');
  });

  it('is none before a verb, also in capitals', () => {
    expect(claimsOf('Vera Holm was born in Ulm in 1900. She Was Sent to Prison for 3 Years.', 'Who was Vera Holm?')).toContain(
      '[Vera Holm] Was Sent to Prison for 3 Years.',
    );
  });
});

describe('a single name in a question with "who"', () => {
  const report = 'The company began in 1931 with 12 workers. He was born in Ulm in 1900.';

  it.each(['Who founded Zelin and when?', 'Who is the owner of Zelin?', 'Who is behind Zelin?', 'Who is running Zelin?'])(
    'is no person: %s',
    (question) => {
      expect(claimsOf(report, question).join()).not.toContain('[Zelin]');
    },
  );

  it.each([
    'Who was Zelin?',
    'Who’s Zelin?',
    'Who was the great painter Zelin?',
    'When was Zelin born?',
    'Who taught Zelin before his exile?',
  ])('is a person: %s', (question) => {
    expect(claimsOf(report, question)).toContain('[Zelin] was born in Ulm in 1900.');
  });
});

it('no participle with a hyphen is a subject', () => {
  const report =
    'Thread-bound builds first appeared in version 3 of 2024. Free-threaded builds first appeared in 2024. They became the default in version 5.';
  expect(claimsOf(report).join()).not.toContain('[Free-threaded]');
});

describe('bold words at the beginning of a paragraph', () => {
  it.each([
    ['**Velotamib:** The drug was approved in 2021', '[Velotamib:] The drug was approved in 2021.'],
    ['**Remedy.** The mill had to pay 900 francs in 1931', 'The mill had to pay 900 francs in 1931.'],
    ['- **Causes:** Heavy rain of 300 mm weakened the wall in 1931', 'Heavy rain of 300 mm weakened the wall in 1931.'],
    ['**What it is.** The mill of Ulm grinds 300 tons a day', 'The mill of Ulm grinds 300 tons a day.'],
    ['**Price.** The R8 sells for about 549 euros', 'The R8 sells for about 549 euros.'],
    ['**In short:** the rule holds for all boats of Kelm', 'The rule holds for all boats of Kelm.'],
    ['**Bottom line:** the rule of Ulm holds for boats', 'The rule of Ulm holds for boats.'],
    ['**Tools.** pg_kelm copies 300 files of the mill', '[Tools:] pg_kelm copies 300 files of the mill.'],
    ['**Age.** Masons date the mill to 1431', 'Masons date the mill to 1431.'],
    ['**Flow speed.** Boats with sails must carry two lamps', 'Boats with sails must carry two lamps.'],
    ['**What the wall is made of.** About half of the wall is of clay', 'About half of the wall is of clay.'],
    ['**Who built it?** The guild of Ulm built the mill in 1431', 'The guild of Ulm built the mill in 1431.'],
  ])('are a heading: %s', (report, claim) => {
    expect(claimsOf(`${report}.`)).toEqual([claim]);
  });

  it.each([
    ['**Acme Inc.** Holdings was founded in 1931', 'Acme Inc. Holdings was founded in 1931.'],
    ['**Total time:** 2:30 to 3:30 minutes', 'Total time: 2:30 to 3:30 minutes.'],
    ['**Maximum stay:** 90 days per visit; it cannot be extended', 'Maximum stay: 90 days per visit; it cannot be extended.'],
    ['**Cost:** 30 million crowns in 1931', 'Cost: 30 million crowns in 1931.'],
    ['**Owner:** the guild of Ulm, based in Kelm since 1431', 'Owner: the guild of Ulm, based in Kelm since 1431.'],
    ['**Finds:** some coins, broken lamps and jars of 1431', 'Finds: some coins, broken lamps and jars of 1431.'],
    ['**13 km:** length of the dam, which was completed in 1931', '13 km: length of the dam, which was completed in 1931.'],
    ['**Kelm Motors:** sold 2 million boats in 1931', 'Kelm Motors: sold 2 million boats in 1931.'],
  ])('stay where what follows needs them: %s', (report, claim) => {
    expect(claimsOf(`${report}.`)).toEqual([claim]);
  });
});

describe('what two reports say that names nothing', () => {
  const question = 'Does the Larkfield salt lower blood pressure?';
  const first = 'SALT-EAST was a trial of 17,400 adults in Ulm. Systolic pressure was lower by 3.3 mmHg.';
  const second = '- Systolic pressure was lower by 3.3 mmHg';
  const of = (report: string, query: string): (readonly [string, string])[] =>
    synthesize({
      query,
      mode: 'fast',
      tier: 'M',
      steps: [reported(PROVIDERS[0], `${report} [1]`, ['https://a.test/']), reported(PROVIDERS[1], `${second} [1]`, ['https://b.test/'])],
    }).claims.map(({ claim, confidence }) => [claim, confidence]);

  const sharedWith = (other: string): string | undefined => {
    const reports = [first, other].map((report, at) =>
      reported(PROVIDERS[at] ?? PROVIDERS[0], `${report} [1]`, [`https://${String(at)}.test/`]),
    );
    const { claims } = synthesize({ query: question, mode: 'fast', tier: 'M', steps: reports });
    return claims.find(({ supporting }) => supporting.length > 1)?.claim;
  };

  it('stands behind the name of what one of them spoke of, not behind what it said of it', () => {
    expect(of(first, question)).toContainEqual(['[SALT-EAST:] Systolic pressure was lower by 3.3 mmHg.', 'high']);
  });

  it('stands behind the sentence that all of them say before it', () => {
    expect(sharedWith(first)).toBe('[SALT-EAST was a trial of 17,400 adults in Ulm.] Systolic pressure was lower by 3.3 mmHg.');
  });

  it('stands alone where the other names what it speaks of by itself', () => {
    const other = '- In the trial at Sund systolic pressure was lower by 3.3 mmHg';
    expect(sharedWith(other)).toBe('Systolic pressure was lower by 3.3 mmHg.');
  });

  it('stands alone where the other spoke of something else', () => {
    const other = 'KELM-WEST was a trial of 900 adults in Sund. Systolic pressure was lower by 3.3 mmHg';
    expect(sharedWith(other)).toBe('Systolic pressure was lower by 3.3 mmHg.');
    const same = 'The trial SALT-EAST ended in 2021. Systolic pressure was lower by 3.3 mmHg';
    expect(sharedWith(same)).toBe('[SALT-EAST:] Systolic pressure was lower by 3.3 mmHg.');
  });

  it('stands alone where the question asks for it', () => {
    expect(of(first, 'What became of systolic pressure?').map(([claim]) => claim)).toContain('Systolic pressure was lower by 3.3 mmHg.');
  });

  it('stands alone where what was spoken of names nothing either', () => {
    const vague = first.replace('SALT-EAST was a trial of 17,400 adults in Ulm', 'There was a trial of 17,400 adults');
    expect(of(vague, question).map(([claim]) => claim)).toContain('Systolic pressure was lower by 3.3 mmHg.');
  });
});

describe('"he" in reports on a message with several names', () => {
  const report = 'He was born in 1950 in Ulm.';

  it.each([
    [
      'is the person of the sentence that asks',
      'When was Karl Huber born? Best regards, Anna Maria Smith',
      '[Karl Huber] was born in 1950 in Ulm.',
    ],
    [
      'is the person named before the sentence that asks',
      'My uncle is called Karl Huber. When and where was he born?',
      '[Karl Huber] was born in 1950 in Ulm.',
    ],
    ['stays where that names two', 'When did Karl Huber marry Anna Maria Smith?', 'He was born in 1950 in Ulm.'],
    ['stays where nobody tells which', 'Write about Karl Huber. Best regards, Anna Maria Smith', 'He was born in 1950 in Ulm.'],
  ])('%s: %s', (_, query, claim) => {
    const { claims } = synthesize({ query, mode: 'fast', tier: 'L', steps: [reported('provider-a', `## Life\n\n${report}`, [])] });
    expect(claims.map((one) => one.claim.replace(/^\[Life:?\] /, ''))).toContain(claim);
  });
});
