import { failed, reported, sectionOf, synthesisOf } from './steps';

const URLS = ['https://a.example/1'];
const OTHER = 'The bridge over the Aln was opened in 1871 by Ida Holm [1].';

it('counts the sentences of a report that are not read, since there are too many', () => {
  const sentence = (at: number): string => `The bridge number ${String(at)} over the Aln was opened in the year of number ${String(at)}.`;
  const missing = sectionOf(
    synthesisOf(reported('provider-a', Array.from({ length: 1_200 }, (_, at) => sentence(at)).join(' '), URLS)).markdown,
    'What is missing',
  );
  const counted = /(\d[\d,]*) sentences/.exec(missing)?.[1]?.replace(',', '') ?? '0';
  const { claims } = synthesisOf(reported('provider-a', Array.from({ length: 1_200 }, (_, at) => sentence(at)).join(' '), URLS));
  expect(Number(counted) + claims.length).toBe(1_200);
});

describe('what a report says it did not find or answer', () => {
  it.each([
    ['health', 'I could not find any peer-reviewed trial of tamarol in children.'],
    ['medical advice', 'As an AI language model, I cannot give advice on the dose of tamarol.'],
    ['a person', 'I’m sorry, but I couldn’t find information on a person named Prince Rivers.'],
    ['law', 'No reliable information was found on the verdict in the case of Holm against Aln.'],
    ['law, in other words', 'It was not possible to find reliable information on the verdict in the case of Holm against Aln.'],
    ['sports', 'Unfortunately, there is no detailed record of the match available in the provided search results.'],
    ['climate', 'There is no information about the emissions of the plant after 2031.'],
    ['software', 'The documents do not say how the server handles a second error.'],
    ['business', 'I was unable to verify the price of the merger.'],
    ['business, beside a fact', 'The museum of Aln was opened in 1900, but I could not find its architect.'],
    ['nobody who searched', 'Unable to find any information about the salary of the striker.'],
    ['its tools', 'My search did not return anything about the treaty of Kelm.'],
    ['a summary of sources', 'None of the sources mentions the judge of the case.'],
  ])('is quoted under what is missing and no claim: %s', (_field, refusal) => {
    const { claims, markdown } = synthesisOf(reported('provider-a', `${OTHER} ${refusal}`, URLS));
    expect(claims.map(({ claim }) => claim)).toEqual(['The bridge over the Aln was opened in 1871 by Ida Holm.']);
    expect(sectionOf(markdown, 'What is missing')).toBe(`- provider-a did not find or answer: “${refusal}”`);
  });

  it.each([
    ['the police', 'The police could not find the weapon in the harbour.'],
    ['a committee', 'The committee was unable to determine the cause of the outage.'],
    ['researchers', 'Researchers could not confirm the result in mice.'],
    ['a trial', 'No significant difference was found between the two groups of patients.'],
    ['inspectors', 'No evidence of contamination was found at the site of the plant.'],
    ['a laboratory', 'No sources of lead were found in the water of Kelm.'],
    ['auditors', 'No records were found by the auditors of the bank.'],
    ['a report of others', 'The audit report did not mention the missing funds of the bank.'],
    ['a court', 'The court found no reason to overturn the verdict.'],
    ['a coroner', 'It was not possible to determine the cause of death.'],
    ['a compiler', 'The compiler cannot find the header of the library.'],
    ['a king', 'Charles I could not find money for the war with Scotland.'],
    ['somebody quoted', 'Holm later said, “I could not find a publisher for the book.”'],
    ['somebody out of work', 'Unable to find work in Leipzig, Holm moved to Munich in 1871.'],
    ['a striker', 'The striker failed to find the net in three matches of the cup.'],
  ])('is none where somebody else looked in vain: %s', (_field, fact) => {
    const { claims, markdown } = synthesisOf(reported('provider-a', fact, URLS));
    expect(claims.map(({ claim }) => claim)).toEqual([fact]);
    expect(sectionOf(markdown, 'What is missing')).toBe('');
  });

  it.each([
    'I do not find this convincing: the trials of Kelm included many old houses.',
    'The museum says that the bridge is safe, but I did not find its reasons persuasive.',
    'Sceptics call the bridge a ruin, and I do not find that very likely.',
  ])('is none where the writer judges what others say: %s', (judged) => {
    expect(sectionOf(synthesisOf(reported('provider-a', `${OTHER} ${judged}`, URLS)).markdown, 'What is missing')).toBe('');
  });

  it.each(['I did not find anything convincing on its price.', 'I could not find this in any source.', 'I do not find a likely date.'])(
    'is also a search for what would be convincing: %s',
    (refusal) => {
      expect(sectionOf(synthesisOf(reported('provider-a', `${OTHER} ${refusal}`, URLS)).markdown, 'What is missing')).toContain(refusal);
    },
  );

  it('is told once for all who say it in the same words, after the steps that failed, and stands for a report that says no more', () => {
    const refusal = 'No reliable information was found on the bridge.';
    const { markdown } = synthesisOf(
      reported('provider-a', refusal, []),
      reported('provider-b', refusal, []),
      failed('provider-c', 'gone'),
    );
    expect(sectionOf(markdown, 'What is missing').split('\n')).toEqual([
      '- provider-c failed (unavailable): gone',
      `- provider-a and provider-b did not find or answer: “${refusal}”`,
    ]);
  });

  it('is bounded and inert', () => {
    const refusals = [1, 2, 3, 4, 5].map((at) => `I could not find <b>page</b> number ${String(at)} of [the book](javascript:alert).`);
    const { claims, markdown } = synthesisOf(reported('provider-a', refusals.join('\n\n'), []));
    const lines = sectionOf(markdown, 'What is missing').split('\n');
    expect(claims).toEqual([]);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/ And 2 more sentences of this kind\.$/);
    expect(markdown).not.toMatch(/<b>|\]\(javascript/);
  });

  it.each([
    'As of my last knowledge update in January 2022, the bridge was closed.',
    'My training data ends in the spring of 2023.',
    'If you need more information about the bridge, the museum will help.',
    'Hope this helps with the history of the bridge.',
  ])('is not all talk about the answer, which is no claim either: %s', (talk) => {
    expect(synthesisOf(reported('provider-a', talk, URLS)).claims).toEqual([]);
  });
});
