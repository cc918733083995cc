import { ask, linesOf } from './ask-corpus';
import { folderOf } from './corpus-folder';

const customers = folderOf({
  'office.md': `# Office

**Q: Can I bring my dog?**

A: Yes, on Fridays, if nobody in the room objects.

**Where do I park my bicycle?**

In the cellar; the key is at the reception.

Q: What is the password of the guests?
A: Ask the reception; it changes every Monday.

## Opening hours

The office opens at seven.
`,
  'shop.txt': `Questions of our customers

Q: May I return a lamp?
A: Yes, within 30 days with its receipt.

Q: Do you ship to Norway?

A: We ship there by sea, which takes two weeks.
`,
  'gateway.html': `<h1>Gateway</h1>
<p><b>Q: Can the gateway run without a licence?</b></p>
<p>A: For 30 days it can.</p>
<details><summary>Does the gateway speak MQTT?</summary>
<p>Since version 3 it does, on port 1883.</p></details>
<p>The gateway is made in Ulm.</p>
`,
});

const answerOf = async (query: string): Promise<string> =>
  (await ask(customers, { query })).markdown.split(/^## (?:Further|Sources)/m)[0] ?? '';

describe('a list of questions and answers without headings', () => {
  it.each([
    ['Can I bring my dog to the office?', 'Office › Can I bring my dog?', 'Yes, on Fridays, if nobody in the room objects.'],
    ['Where do I park my bicycle?', 'Office › Where do I park my bicycle?', 'In the cellar; the key is at the reception.'],
    ['What is the password of the guests?', 'Office › What is the password of the guests?', 'Ask the reception; it changes every Monday.'],
    ['May I return a lamp?', 'May I return a lamp?', 'Yes, within 30 days with its receipt.'],
    ['Do you ship to Norway?', 'Do you ship to Norway?', 'We ship there by sea, which takes two weeks.'],
    ['Can the gateway run without a licence?', 'Gateway › Can the gateway run without a licence?', 'For 30 days it can.'],
    ['Does the gateway speak MQTT?', 'Gateway › Does the gateway speak MQTT?', 'Since version 3 it does, on port 1883.'],
  ])('answers below the question: %s', async (query, title, text) => {
    const { citations, markdown } = await ask(customers, { query });
    expect(markdown).toContain(`## ${title}\n\n- `);
    expect(citations[0]).toMatchObject({ title, snippet: expect.stringContaining(text) as string });
    expect(citations[0] && linesOf(customers, citations[0])).toContain(text);
  });

  it('ends at the next heading, or where its answer ends', async () => {
    expect(await answerOf('When does the office open?')).toContain('## Office › Opening hours\n');
    expect(await answerOf('Where is the gateway made?')).toMatch(/^## Gateway\n\n- The gateway is made in Ulm\./m);
  });

  it('does not answer what is asked of something else', async () => {
    expect(await answerOf('Can I bring my lawyer to the gateway?')).toContain('These documents do not answer the question');
  });
});

it.each([
  ['How long is the warranty?', 'how long is the warranty'],
  ['The warranty', 'what is the warranty?'],
])('the section whose heading is the question comes first: %s', async (heading, query) => {
  const guide = `# Warranty and service

## Sending in a machine

Call 0800 555 0177 and ask for a number. A repair takes 10 days. Out of warranty it is 129 EUR.

## ${heading}

Three years, or 15,000 cups, whichever comes first.
`;
  const { markdown } = await ask(folderOf({ 'guide.md': guide }), { query });
  const [answer, other] = ['Three years', 'A repair takes'].map((text) => markdown.indexOf(text));
  expect(answer).toBeGreaterThan(0);
  expect(other).toBeGreaterThan(answer ?? 0);
});
