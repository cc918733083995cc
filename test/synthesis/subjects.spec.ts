import { synthesize } from '@lib/synthesis/synthesize';
import { claimsOf, reported } from './steps';

const sharedIn = (reports: readonly string[]): string[] =>
  synthesize({
    query: 'What is known?',
    mode: 'fast',
    tier: 'L',
    steps: reports.map((report, at) => reported(at === 0 ? 'provider-a' : 'provider-b', report, [`https://${String(at)}.example/`])),
  })
    .claims.filter(({ supporting }) => supporting.length > 1)
    .map(({ claim }) => claim);

const allClaimsOf = (report: string): string[] =>
  synthesize({ query: 'What is known?', mode: 'fast', tier: 'L', steps: [reported('provider-a', report, [])] }).claims.map(
    ({ claim }) => claim,
  );

describe('what a pronoun stands for', () => {
  it('is no place that the question names', () => {
    const steps = [
      reported('provider-a', '**Bottom line:** He can, if his daughter really needs the home and the paperwork is right.', []),
    ];
    const { claims } = synthesize({ query: 'My landlord in Valdoria ends my lease. Can he do that?', mode: 'fast', tier: 'M', steps });
    expect(claims.map(({ claim }) => claim)).toEqual([
      '[Bottom line:] He can, if his daughter really needs the home and the paperwork is right.',
    ]);
  });

  it('is no company where somebody is meant', () => {
    const report = 'Since 2021 it has been owned by Oakmantle Capital, an investor. Her predecessor, Mr Hale, had left the firm in May.';
    expect(claimsOf(report).join()).not.toContain('[Oakmantle');
  });

  it.each([
    ['a measure, which has nothing of its own', 'The distance is 124 light-years. Its radius is 2.6 times that of the Earth.'],
    ['"only the first one"', 'Only the first one of them was built in 1920. It would also help the town of Ulm.'],
  ])('is never %s', (_, report) => {
    expect(claimsOf(report).filter((claim) => claim.startsWith('['))).toEqual([]);
  });

  it.each([
    ['Stubbs and Stubbs found that foxes of the valley sleep less.', 'They can hear a mouse under snow.'],
    ['Complaints by residents led to stricter rules.', 'They included checks at night.'],
    ['Typical is a pain under the heel in the morning.', 'It is an overload of the tissue.'],
    ['The gavel was in the hand of the chair of the talks.', 'It came into force in May.'],
    ['Chronic here means trouble at least three nights a week.', 'It helps those who have pain.'],
    ['The extension instead puts the engine inside the server.', 'It is younger than the engine.'],
    ['Ignore benchmarks published by vendors.', 'They tune one side only.'],
  ])('is in doubt, so the sentence keeps it: %s %s', (before, said) => {
    expect(allClaimsOf(`${before} ${said}`)).toContain(`[${before}] ${said}`);
  });

  it.each([
    [
      '**Who acted.** Benedict Dorn called the river a pool. His bill passed in 18 days.\n\n**What was built.** Joseph Bazal designed:\n\n- 82 miles of sewers\n- the Albert and Victoria Embankments\n\nHe made the pipes wide.',
      '[Joseph Bazal] made the pipes wide.',
    ],
  ])('is whom the text before a list is about: %s', (report, claim) => {
    expect(allClaimsOf(report)).toContain(claim);
  });

  describe('behind "construction of" something', () => {
    it.each([
      ['the thing, where it is still true', 'It stands 330 metres tall.', ['[The Kelm Tower] stands 330 metres tall.']],
      [
        'the event, where only an event can be meant',
        'It cost 8 million crowns.',
        ['[Construction of the Kelm Tower] cost 8 million crowns.'],
      ],
      ['nothing, where both may be meant', 'It was a triumph for the city of Ulm.', []],
    ])('is %s', (_, next, claims) => {
      const first = 'Construction of the Kelm Tower was completed in 1889.';
      expect(claimsOf(`${first} ${next}`)).toEqual([first, ...claims]);
    });

    it('is never an article alone', () => {
      expect(claimsOf('The cost of the project was $5 million. It was finished in 2012.').join()).not.toContain('[The]');
    });
  });

  it('is no parliament where a law takes effect', () => {
    const reports = [
      'The Bundestag adopted it on 8 September 2023 by 399 votes to 275, the Bundesrat let it pass, and it took effect on 1 January 2024 [1].',
      'The Bundestag passed the law on 8 September 2023 with 299 votes to 275, and it came into force on 1 January 2024 [1].',
    ];
    expect(sharedIn(reports).join()).not.toContain('[The Bundestag]');
  });

  it('is not several women, however they are named before', () => {
    const report =
      'Born on 23 March 1882 in Erlangen, she was the daughter of the mathematician Max Noether. She first qualified as a teacher of English and French. Women were allowed only to sit in on lectures in Bavaria, until regular enrolment was opened to them in 1903. She took her doctorate in 1907 under Felix Klein with a thesis on ternary biquadratic forms. She later dismissed this calculation-heavy work as "rubbish" [2].';
    const steps = [reported('provider-a', report, ['https://a.example/1', 'https://b.example/1'])];
    const { claims } = synthesize({ query: 'Who was Emmy Noether, and how was she treated?', mode: 'fast', tier: 'M', steps });
    expect(claims.map(({ claim }) => claim).join()).not.toContain('[Women]');
  });

  it.each([
    [
      'a name after what the person is',
      'Point guard Dana Okafor won the award in 2014. He scored 41 points in Game 6.',
      '[Dana Okafor] scored 41 points in Game 6.',
    ],
    [
      'the only person named by the way',
      'The bridge was designed by Maria Lind in 1960. She sold the plans to the city of Oslo.',
      '[Maria Lind] sold the plans to the city of Oslo.',
    ],
    [
      'the judge who was named last',
      'Justice Amy Boone wrote the opinion. Justice Carl Denton dissented, joined by Justice Pike. He called the ruling a mistake of law.',
      '[Justice Carl Denton] called the ruling a mistake of law.',
    ],
    [
      'what is spoken of after a label',
      'Impact: The Travel Act was amended in 2018. It now asks airlines for reasons in writing.',
      '[The Travel Act] now asks airlines for reasons in writing.',
    ],
    [
      'what a year and a pronoun begin',
      'Ada Lovelace was born in London. In 1843 she published the notes on the engine.',
      'In 1843 [Ada Lovelace] published the notes on the engine.',
    ],
    [
      'several things for "they"',
      'The Riverton Comets won the title in 2014. They defeated the Marlow Giants in the first round.',
      '[The Riverton Comets] defeated the Marlow Giants in the first round.',
    ],
    [
      'a product that was "it" before',
      'Quillstore is a database for large systems. It is written in Rust by a small team.',
      '[Quillstore] is written in Rust by a small team.',
    ],
    [
      'inside a sentence, with a small article',
      'The north glacier was fast in 2018. By 2020, it had lost a third of its ice.',
      'By 2020, [the north glacier] had lost a third of its ice.',
    ],
    [
      'the same after it took years',
      'The canal was dug by hand in 1840. It took ten years until ships could pass. It is 14 kilometres long today.',
      '[The canal] is 14 kilometres long today.',
    ],
    [
      'nothing where it stands for a deed that is judged',
      'Landlords have to wait in England. It is unlawful to refuse tenants because they have children.',
      'It is unlawful to refuse tenants because they have children.',
    ],
    [
      'the same after an expletive',
      'The comet was seen in 1983. It is notable for having passed close to the Earth.',
      '[The comet] is notable for having passed close to the Earth.',
    ],
  ])('%s', (_, report, claim) => {
    expect(claimsOf(report)).toContain(claim);
  });

  it.each([
    [
      'another whose given name tells that she is not he',
      'Lena Okoro studied in Oslo. She moved to London in 1959. Harry Lindqvist, whom she met in London, became her mentor in the theatre. She spoke before the council in 1963.',
      '[Lena Okoro] spoke before the council in 1963.',
    ],
    [
      'another who taught her something',
      'Lena Okoro studied in Oslo. She moved to Paris in 1947. In Paris, from 1948, Jacques Verne taught her X-ray diffraction. She joined the college in January 1951.',
      '[Lena Okoro] joined the college in January 1951.',
    ],
    [
      'what somebody else owns or wrote',
      "Lena Okoro studied in Oslo. She lost her scholarship in 1904. Carr's Synopsis, a collection of theorems, set her on the way. She became a clerk in 1912.",
      '[Lena Okoro] became a clerk in 1912.',
    ],
    [
      'a site',
      'Lena Okoro plays for Oslo City, as told by Statarchive.com in 2019. Statarchive.com shows figures of the whole season. She played against Bergen in July 2019.',
      '[Lena Okoro] played against Bergen in July 2019.',
    ],
    [
      'a word with a capital for its place alone',
      'Lena Okoro was born in Oslo. Art was the trade of the family. From 1954 she drew a comic strip for the paper in London.',
      'From 1954 [Lena Okoro] drew a comic strip for the paper in London.',
    ],
    [
      'a place behind the pronoun',
      'Lena Okoro was born in Oslo. Back in Bergen, where the war had ended, she became the first woman in Central Norway to hold a doctorate. In 1989 she led the protest against a tower.',
      'In 1989 [Lena Okoro] led the protest against a tower.',
    ],
  ])('is whoever is asked about, not %s', (_, report, claim) => {
    expect(claimsOf(report, 'Who was Lena Okoro?')).toContain(claim);
  });

  it.each([
    ['Seriously ill, he sailed home in 1919 on the steamer Kelm.', 'Seriously ill, [Tom Okoro] sailed home in 1919 on the steamer Kelm.'],
    ['Back in Oslo, he earned a doctorate in anatomy in 1971.', 'Back in Oslo, [Tom Okoro] earned a doctorate in anatomy in 1971.'],
  ])('behind an introduction without a verb: %s', (said, claim) => {
    expect(claimsOf(`Tom Okoro was born in Lund in 1887. ${said}`, 'Who was Tom Okoro?')).toContain(claim);
  });

  it.each(['Kim', 'Rodo'])('is another than the one asked about where a sentence speaks of %s alone', (given) => {
    const report = `Tom Okoro was born in Lund. He worked as a judge. ${given} Lindqvist was a painter of the north. He sold the picture in 1931.`;
    expect(claimsOf(report, 'Who was Tom Okoro?')).toContain(`[${given} Lindqvist] sold the picture in 1931.`);
  });

  it('is nobody where the only one spoken of is hardly called so', () => {
    const report =
      'Tom Okoro was born in Lund. He worked as a judge. Maria Lindqvist was a painter of the north. He sold the picture in 1931.';
    expect(claimsOf(report, 'Who was Tom Okoro?').filter((claim) => claim.includes('sold'))).toEqual([]);
  });

  it('is nobody where a sentence speaks of one whose name tells nothing and may call so whoever is asked about', () => {
    const report =
      'Tom Okoro was born in Lund. He worked as a judge. Kim Lindqvist wrote his memoirs in the north. He sold the book in 1931.';
    expect(claimsOf(report, 'Who was Tom Okoro?').filter((claim) => claim.includes('sold the book'))).toEqual([]);
  });

  it('is whoever is asked about behind a sentence that names her beside a man', () => {
    const report = 'Albert Lindqvist met Lena Okoro in Lund. She studied physics there from 1896.';
    expect(claimsOf(report, 'Who was Lena Okoro?')).toContain('[Lena Okoro] studied physics there from 1896.');
  });

  it('is somebody whom the sentence before names behind "she"', () => {
    const report = 'Ada Lindqvist was born in Lund. In 1950 she met Rodo Okoro. He moved to Kelm in the same year.';
    expect(claimsOf(report, 'What is known?')).toContain('[Rodo Okoro] moved to Kelm in the same year.');
  });

  it('is nobody behind a sentence of somebody else who may have called so the one before', () => {
    const report =
      'Lena Okoro was born in Lund. She lived in Kelm. Rodo De Lind later gave her advanced lessons. In 1843 she published a paper.';
    expect(claimsOf(report, 'What is known?').filter((claim) => claim.includes('published a paper'))).toEqual([]);
  });

  it('is whoever is asked about, also with a name that men have', () => {
    const report = 'George Okoro was a novelist, and she smoked. Eugène Lindqvist painted her portrait. Her novels sold well in 1840.';
    expect(claimsOf(report, 'Who was George Okoro?')).toContain('[George Okoro’s] novels sold well in 1840.');
  });

  it('is none of those whom a quoting verb follows', () => {
    const report = 'Tom Okoro was born in Lund. Lena Lindqvist, he said, wrote the whole of the first book.';
    expect(claimsOf(report, 'Who was Tom Okoro?').filter((claim) => claim.includes(', [Tom Okoro]'))).toEqual([]);
  });

  it.each([
    [
      'a company for "she"',
      'Norvane Pharma Inc. received the approval in 2021. She reported the results of the trial.',
      'reported the results',
      'What is known?',
    ],
    [
      'one thing for "they"',
      'The 22 July election was held in Asia. They received 245 and 15 votes in that year.',
      'received 245',
      'What is known?',
    ],
    [
      'several for "it"',
      'The Riverton Comets won the title of 2014. It was the first title of the club.',
      'was the first title',
      'What is known?',
    ],
    [
      'what only belongs to the topic',
      "The glacier's speed rose to 9 km after 2018. It retreated by 5 km in the same years.",
      'retreated by 5 km',
      'What is known?',
    ],
    [
      'a study that found something new',
      'A study of version 2 found a bug in the log. It was fixed in version 3 by the team.',
      'was fixed',
      'What is known?',
    ],
    [
      'patients that did something',
      'Patients who took 60 mg had fewer attacks. It also reduced the use of other drugs.',
      'reduced the use',
      'What is known?',
    ],
    [
      '"he" for one who was "she"',
      'Ada Lovelace was born in London. She wrote the notes in 1843. He was killed in the war of 1850.',
      'was killed',
      'What is known?',
    ],
    [
      'an adverb',
      'Previously, the tool was used in chemistry. Commercially use of the tool is rare. It runs on small machines in the field.',
      '[Commercially]',
      'What is known?',
    ],
    [
      'a place beside a person who is not known',
      'In 1834 he moved to Port Ellis. During these years he taught chemistry in the new college.',
      '[Port Ellis]',
      'What is known?',
    ],
    [
      'none of a kind',
      'No bridge over the Kelm was built of steel. It was painted green in the war of 1850.',
      '[No bridge',
      'What is known?',
    ],
    [
      'what only happened to the topic',
      'A fire in the spring of 1970 destroyed the roof. It was built of oak in the year 1860.',
      '[A fire',
      'What is known?',
    ],
    ['an acronym for "they"', 'Lumen sold the patent in 2012. They were held in jail for three days.', '[Lumen]', 'What is known?'],
    [
      'the last place of an introduction',
      'Ada Wong played in sixty films. Born in Los Angeles, California, she moved to Paris in 1928.',
      '[California',
      'What is known?',
    ],
    [
      'the name of a league in the question',
      'The team won the cup of 2014. He scored 41 points in the last game.',
      'scored 41',
      'How was the 2014 Northern Basketball League title won?',
    ],
  ])('is not %s', (_, report, said, question) => {
    expect(claimsOf(report, question).filter((claim) => claim.includes(said))).toEqual([]);
  });

  it('is not a common noun for whoever asks about something else by its name', () => {
    const report = 'Ice covers the lake from January until May. It has been a World Heritage Site since 1996.';
    const claims = (query: string) =>
      synthesize({ query, mode: 'fast', tier: 'L', steps: [reported('provider-a', report, [])] }).claims.map(({ claim }) => claim);
    for (const query of ['What is special about Lake Baikal?', 'What is known of Baikal’s water?'])
      expect(claims(query)).not.toContain('[Ice] has been a World Heritage Site since 1996.');
    expect(claims('What becomes of frozen water?')).toContain('[Ice] has been a World Heritage Site since 1996.');
  });

  it('is nothing in "it took ten years until"', () => {
    const report = 'The canal was dug by hand in 1840. It took ten years until ships could pass.';
    expect(claimsOf(report)).toEqual(['The canal was dug by hand in 1840.']);
  });

  it('is nobody whose name only tells what is asked about', () => {
    const report = 'The season of 2024 was the best ever. He scored 14 goals in the autumn of 2023.';
    expect(claimsOf(report, 'How was Bayer Leverkusen’s season of 2024?')).toEqual(['The season of 2024 was the best ever.']);
  });

  it('is not the subject of another clause', () => {
    const report = 'Priya Raman began the project in 2015 at Lumen; it was released in 2017 under a free licence.';
    expect(claimsOf(report)).toEqual([report]);
  });
});

describe('the subject of a part of a sentence', () => {
  it('is not the last place of an introduction', () => {
    const report = 'Born in Los Angeles, California to a family of tailors, Anna Wong played in sixty films of the time.';
    expect(claimsOf(report).filter((claim) => claim.includes('California was'))).toEqual([]);
  });

  it('has the auxiliary that two participles share', () => {
    const one = reported('provider-a', 'Quillstore is written in Rust and licensed under Apache 2.0 [1].', ['https://a.example/1']);
    const other = reported('provider-b', 'Quillstore is licensed under Apache 2.0 [1].', ['https://b.example/1']);
    const third = reported('provider-c', 'Quillstore is written in Rust by volunteers [1].', ['https://c.example/1']);
    const { claims } = synthesize({ query: 'What is Quillstore?', mode: 'fast', tier: 'L', steps: [one, other, third] });
    const shared = claims.filter(({ supporting }) => supporting.length > 1).map(({ claim }) => claim);
    expect(shared).toContain('Quillstore is licensed under Apache 2.0.');
  });
});

describe('the subject of a part of a sentence in the passive of the past', () => {
  it('has both auxiliaries, and stands behind nothing that only one of them says before it', () => {
    const beginning = 'The case arose from the dismissal of Denise Merrow in 2016';
    const one = reported('provider-a', `${beginning}. Nobody at the company had read the letter before it was sent [1].`, []);
    const other = reported('provider-b', `${beginning}; the letter had been issued by a program and read by nobody [1].`, []);
    const { claims } = synthesize({ query: 'What happened at Halden?', mode: 'fast', tier: 'L', steps: [one, other] });
    expect(claims.map(({ claim }) => claim)).toContain('[The letter had been] read by nobody.');
  });
});

describe('names in a huge report', () => {
  it.each([
    ['capitals without an end', 'A'.repeat(50_000)],
    ['letters and hyphens without an end', 'A-b.'.repeat(12_500)],
    ['capitals and then white space', `${'A'.repeat(25_000)}${' '.repeat(25_000)}`],
  ])('are looked for in a time that grows with its length: %s', (_, filling) => {
    const names = Array.from('abcdefghijklmnopqrtu', (letter) => `Quillon${letter}`);
    const told = names.map((name) => `${name} was born in the town of Kelm. `).join('');
    const startedAt = process.cpuUsage();
    expect(claimsOf(`${told}\n\n${filling}`)).toHaveLength(20);
    const { user, system } = process.cpuUsage(startedAt);
    expect((user + system) / 1_000).toBeLessThan(8_000);
  });
});

it('gives the last of two verbs to who stands before the first, also behind "until"', () => {
  const reports = [
    "Sales were feeble until Frank Borman's Eastern Air Lines took four on trial in 1977 and ordered 23 the next year [1].",
    'Sales were poor until Eastern Air Lines, under the former astronaut Frank Borman, took four A300s on trial in 1977 and then ordered more [1].',
  ];
  expect(sharedIn(reports).join()).not.toContain('[Sales]');
});

it('makes no claim without words of a subject that is the whole clause', () => {
  const reports = [
    '## Who she was\n\n- **Born** 25 July 1920 in London; studied at Newnham College, Cambridge, with a PhD in 1945. [1]',
    'Born in London on 25 July 1920, Ada Brandt studied at Newnham College and mastered diffraction in Paris. [1]',
    '- **25 July 1920:** born in London, well-to-do family. [1]',
  ];
  const steps = reports.map((report, at) =>
    reported((['provider-a', 'provider-b', 'provider-c'] as const)[at] ?? 'provider-d', report, [`https://${String(at)}.example/`]),
  );
  const { claims } = synthesize({ query: 'Who was Ada Brandt, and was she robbed?', mode: 'fast', tier: 'L', steps });
  expect(claims.filter(({ claim }) => claim.trim() === '')).toEqual([]);
  expect(claims.length).toBeGreaterThan(0);
});
