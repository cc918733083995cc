import { synthesisDifference } from '../../src/cli/synthesis-difference';

const evidence = (provider: 'provider-a' | 'provider-b') => ({
  provider,
  stepId: 'stp_1',
  quote: 'q',
  start: 0,
  end: 1,
  citationIndexes: [],
});
const claim = (text: string, confidence: 'high' | 'low', ...providers: ('provider-a' | 'provider-b')[]) => ({
  id: 'clm_01',
  claim: text,
  confidence,
  supporting: providers.map(evidence),
  contradicting: [],
});
const RECORDED = {
  synthesizer: 'deterministic-1',
  markdown: '## Answer\n\nLamps are lit.\n',
  claims: [claim('Lamps are lit.', 'low', 'provider-a'), claim('Wicks are dry.', 'low', 'provider-a')],
};

it('says that nothing differs where nothing does', () => {
  expect(synthesisDifference(RECORDED, { ...RECORDED, synthesizer: 'deterministic-2' })).toBe(
    'Recorded by deterministic-1 with 2 claims; deterministic-2 makes 2.\nNothing differs.\n',
  );
});

it('names claims that went, came, and stand otherwise, and shows the lines of the report that changed', () => {
  const current = {
    synthesizer: 'deterministic-2',
    markdown: '## Answer\n\nLamps are lit at dusk.\n',
    claims: [claim('Lamps are lit.', 'high', 'provider-b', 'provider-a'), claim('Oil is stored.', 'low', 'provider-b')],
  };
  const lines = synthesisDifference(RECORDED, current).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '- Wicks are dry. [low] (provider-a)',
      '+ Oil is stored. [low] (provider-b)',
      '~ Lamps are lit. [low] (provider-a) -> [high] (provider-a, provider-b)',
      '-Lamps are lit.',
      '+Lamps are lit at dusk.',
    ]),
  );
});

it('shows nothing of a claim that would control a terminal or turn the direction of what follows', () => {
  const hostile = claim('Wicks \u001b[2Jare \u009b31mdry\u202e and\rlong.', 'low', 'provider-a');
  const text = synthesisDifference(RECORDED, { ...RECORDED, claims: [...RECORDED.claims, hostile] });
  expect(text).toContain('+ Wicks [2Jare 31mdry andlong. [low] (provider-a)\n');
});
