import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

const policies = folderOf({
  'p-17.md': `---\r
title: "Business travel"\r
owner: finance\r
---\r
\r
Flights are booked through the portal.\r
\r
## Approval\r
\r
The head of the department approves whatever costs more than 1,000 euros.\r
`,
  'p-18.md': `---
title: Hiring
---
# Hiring of staff

## Approval

The board approves each contract of more than 2,000 euros.
`,
});

describe('the title before a document', () => {
  it('stands over its sections, which are found by it', async () => {
    const { citations } = await ask(policies, { query: 'Who approves business travel?' });
    expect(citations[0]).toMatchObject({ url: 'corpus:/p-17.md#L10-L10', title: 'Business travel › Approval' });
  });

  it('gives way to a heading of the document', async () => {
    const { citations } = await ask(policies, { query: 'Who approves contracts in hiring?' });
    expect(citations[0]).toMatchObject({ title: 'Hiring of staff › Approval' });
  });
});

describe('a number', () => {
  it('is found with and without the marks of its thousands', async () => {
    const { markdown } = await ask(policies, { query: 'Who approves what costs more than 1000 euros?' });
    expect(markdown).toContain('The head of the department approves whatever costs more than 1,000 euros. [1]');
    expect(markdown).not.toMatch(/do not (?:answer|cover|mention)/);
  });
});
