import type { Citation } from '@lib/domain/citation';
import { synthesize } from '@lib/synthesis/synthesize';

import { ask, linesOf } from './ask-corpus';
import { folderOf } from './corpus-folder';

/** The lines of lists in a report, without marks of sources. */
async function quotedFor(guide: string, query: string): Promise<string[]> {
  const { markdown } = await ask(folderOf({ 'guide.md': guide }), { query });
  return Array.from(markdown.matchAll(/^- (.+)$/gm), ([, line = '']) => line.replace(/ \[\d+\]/g, ''));
}

/** Makes a section too long to be quoted as a whole. */
const FILLER = 'Nothing else is told in this section, which goes on for a while all the same. '.repeat(16);

async function claimsFor(guide: string, query: string): Promise<string[]> {
  const { markdown, citations } = await ask(folderOf({ 'guide.md': guide }), { query });
  const rest = { status: 'completed', errorMessage: null, failure: null, truncated: false } as const;
  const step = { stepId: 'step', provider: 'provider-a', reportMarkdown: markdown, citations, ...rest } as const;
  return synthesize({ query, mode: 'fast', tier: 'S', steps: [step] }).claims.map(({ claim }) => claim);
}

const RULES = `# Ferry rules

Passengers must not:
- bring dogs on the upper deck
- smoke in the saloon

The ferry does not carry:

- trucks above 12 tonnes
- liquid gas

Passengers may:
- eat in the saloon

It is forbidden to:

1. open the bow door while sailing
2. feed the gulls
`;

describe('an item of a list', () => {
  it.each([
    ['May passengers bring dogs on the upper deck?', 'Passengers must not:', 'bring dogs'],
    ['Does the ferry carry liquid gas?', 'The ferry does not carry:', 'liquid gas'],
    ['Can somebody feed the gulls?', 'It is forbidden to:', 'feed the gulls'],
  ])('is quoted behind what leads to its list: %s', async (query, leadIn, item) => {
    const quoted = await quotedFor(RULES, query);
    expect(quoted.filter((line) => line.includes(item))).not.toEqual([]);
    for (const line of quoted.filter((each) => each.includes(item))) expect(line.slice(0, line.indexOf(item))).toContain(leadIn);
  });

  it('is never in one quotation with those of another list', async () => {
    const quoted = await quotedFor(RULES, 'What may passengers of the ferry do in the saloon, and what is forbidden to passengers?');
    const leadIns = ['Passengers must not:', 'The ferry does not carry:', 'Passengers may:', 'It is forbidden to:'];
    expect(quoted.length).toBeGreaterThan(2);
    for (const line of quoted) expect(leadIns.filter((leadIn) => line.includes(leadIn))).toHaveLength(1);
  });

  it('is not run together with the paragraph behind its list, which leads to another', async () => {
    const guide =
      '# Rules\n\nDogs are dear to us. They may not:\n\n- bring other dogs\n- smoke pipes\n\nThe crew decides about dogs. They may:\n\n- bring cats\n- bark\n';
    const quoted = await quotedFor(guide, 'What may dogs not do?');
    expect(quoted).toContain('Dogs are dear to us. They may not: • bring other dogs • smoke pipes');
    expect(quoted.filter((line) => line.includes('They may:') && line.includes('They may not:'))).toEqual([]);
  });

  it('has what leads to it in the claims of the synthesis too, and in the lines that are cited', async () => {
    const query = 'May passengers bring dogs on the upper deck?';
    const claims = (await claimsFor(RULES, query)).filter((claim) => claim.includes('dogs'));
    expect(claims).toEqual([expect.stringMatching(/^\[Ferry rules\] Passengers must not: • bring dogs/)]);
    const folder = folderOf({ 'rules.md': RULES });
    const { citations } = await ask(folder, { query });
    const cited = citations.filter(({ snippet }) => snippet?.includes('dogs'));
    expect(cited).not.toEqual([]);
    for (const citation of cited) {
      expect(citation.snippet).toMatch(/^Passengers must not: .*dogs/);
      expect(linesOf(folder, citation)).toContain('Passengers must not:');
    }
  });

  it('is quoted below the item that it stands under', async () => {
    const guide = `# Replies

\`reply.send(data)\` depends on its argument:

- behaves as a waxwing does for the following:
  - objects are serialized as feathers
  - buffers are sent unchanged

${FILLER}
`;
    const quoted = await quotedFor(guide, 'Which objects are serialized as feathers?');
    expect(quoted[0]).toMatch(
      /^`reply\.send\(data\)` depends on its argument: behaves as a waxwing does for the following: • objects are serialized as feathers/,
    );
  });

  it('is in the list with those below it, where it only leads to them', async () => {
    const guide = '# Animals\n\nAllowed on the ferry are:\n\n- all cats\n- all dogs, except:\n  - wolfhounds\n  - mastiffs\n';
    const quoted = await quotedFor(guide, 'What are the animals that are allowed on the ferry?');
    for (const line of quoted.filter((each) => each.includes('except:'))) expect(line).toMatch(/except: ([◦•]) wolfhounds \1 mastiffs/);
    expect(quoted.join()).toContain('• all dogs, except: ◦ wolfhounds');
  });

  it.each([
    ['a comment that nobody sees', 'Passengers must not:\n\n<!-- prettier-ignore -->\n\n- bring dogs along', 'Passengers must not:'],
    ['a question', 'Can I bring a dog?\n\n- only dogs of the crew come along', 'Can I bring a dog?'],
    ['a statement that forbids', 'These are forbidden on board.\n\n- big dogs of all kinds', 'These are forbidden on board.'],
    ['a sentence with the one that it goes back to', 'The crew bites. They bite:\n\n- big dogs of all kinds', 'The crew bites. They bite:'],
    ['a tag', '<p>Passengers must not:</p>\n\n- bring dogs along', 'Passengers must not:'],
  ])('has before it what leads to it: %s', async (_, source, leadIn) => {
    const [first] = await quotedFor(`# Rules\n\n${source}\n\n${FILLER}\n`, 'What about dogs?');
    expect(first?.startsWith(`${leadIn} • `)).toBe(true);
    expect(first).toContain('dogs');
  });

  it('stands without a statement that leads to nothing', async () => {
    const [first] = await quotedFor(
      `# Rules\n\nThe ferry was built in May.\n\n- Dogs of all kinds come along.\n\n${FILLER}\n`,
      'What about dogs?',
    );
    expect(first).toBe('Dogs of all kinds come along.');
  });

  it('is quoted behind what leads to its list, and what it stands under, however far above', async () => {
    const items = Array.from(
      { length: 80 },
      (_, at) => `  - ${String(at)} is what nobody counts${' in the harbour of the ferry'.repeat(6)}`,
    );
    const guide = `# Rules\n\nPassengers must not:\n\n- while they are on deck:\n\n${[...items, '  - bring a gannet'].join('\n\n')}\n`;
    const quoted = (await quotedFor(guide, 'Who may bring a gannet?')).filter((line) => line.includes('gannet'));
    expect(quoted).not.toEqual([]);
    for (const line of quoted) expect(line).toMatch(/^Passengers must not: while they are on deck: • /);
    expect(quoted.join()).not.toContain('• while they');
  });

  it('is no repetition of the same one in a list that says the opposite', async () => {
    const guide = '# Rules\n\n## Summer\n\nAllowed are:\n\n- dogs of the crew\n\n## Winter\n\nForbidden are:\n\n- dogs of the crew\n';
    const quoted = (await quotedFor(guide, 'What about dogs of the crew?')).join('\n');
    expect(quoted).toMatch(/Allowed are:.*dogs of the crew/);
    expect(quoted).toMatch(/Forbidden are:.*dogs of the crew/);
  });

  it('is no repetition of the same words below a heading that says the opposite', async () => {
    const [dogs, parrots, matches] = [
      'Dogs of the crew and their puppies.',
      'Parrots which sing in summer and winter. '.repeat(26),
      'Matches, candles and lanterns of old harbours. '.repeat(26),
    ];
    const guide = `# Rules\n\n## Welcome\n\n${dogs}\n\n\n\n${parrots}\n\n## Not allowed\n\n${dogs}\n\n\n\n${matches}\n`;
    expect((await quotedFor(guide, 'What about dogs of the crew?')).filter((line) => line === dogs)).toHaveLength(2);
  });
});

describe('a row of a table', () => {
  const PUMPS = '| Pump | Flow | Max pressure |\n|---|---:|---:|\n| Orion P1 | 120 | 8 |\n| Orion P2 | 240 | 12 |\n';

  it('is quoted below the heads of its columns, in lines that have both', async () => {
    const folder = folderOf({ 'pumps.md': `# Pumps\n\n${PUMPS}` });
    const { markdown, citations } = await ask(folder, { query: 'What is the maximum pressure of the Orion P2?' });
    expect(markdown).toMatch(/^- Pump \| Flow \| Max pressure \[1\] • .*Orion P2 \| 240 \| 12/m);
    expect(linesOf(folder, citations[0] as Citation)).toMatch(/Max pressure[\s\S]*Orion P2/);
  });

  it('is quoted from a table in HTML, too, that stands in Markdown', async () => {
    const rows = [
      '<tr><th>Pump</th><th>Flow</th></tr>',
      '<tr><td>Orion P1</td><td>120</td></tr>',
      '<tr><td>Orion P2</td><td>240</td></tr>',
    ];
    const table = `<table>\n${rows.join('\n')}\n</table>\n`;
    const folder = folderOf({ 'pumps.md': `# Pumps\n\nThe following pumps are not for sale.\n\n${table}\nThey are made in Ulm.\n` });
    const { markdown, citations } = await ask(folder, { query: 'What is the flow of the Orion P2?' });
    expect(markdown).toMatch(/^- The following pumps are not for sale\. \[1\] Pump \| Flow \[1\] • .*Orion P2 \| 240/m);
    expect(linesOf(folder, citations[0] as Citation)).toMatch(/<th>Flow[\s\S]*Orion P2/);
  });

  it('is quoted behind a sentence that forbids what is in the table', async () => {
    const quoted = await quotedFor(`# Pumps\n\nThe following pumps are not for sale.\n\n${PUMPS}`, 'Which Orion P2 is for sale?');
    for (const line of quoted.filter((each) => each.includes('P2 |')))
      expect(line).toMatch(/^The following pumps are not for sale\. Pump \|/);
    expect(quoted.join()).toContain('P2 | 240');
  });
});
