import { checkSummary } from '@lib/synthesis/summary/check';
import { sheetOf } from '@lib/synthesis/summary/claim-sheet';
import { reported } from '../steps';
import { answerOf } from './claims';

/** Whether a sentence about all claims of the two reports is shown. */
function isShown(question: string, reports: readonly [string, string], text: string): boolean {
  const [one, other] = reports;
  const steps = [reported('provider-a', one, ['https://a.example/page']), reported('provider-b', other, ['https://b.example/page'])];
  const sheet = sheetOf({ query: question, mode: 'fast', tier: 'S', steps });
  expect(sheet.size).toBeGreaterThan(0);
  return checkSummary(answerOf({ text, claims: [...sheet.keys()] }), question, sheet).paragraphs.length > 0;
}

describe('the words of the question', () => {
  const asked = 'Does the Orla vaccine of Kelm 5 cause autism in children?';
  const said = 'The Orla vaccine was approved in 1998 [1].';
  const isToldOf = (text: string): boolean => isShown(asked, [said, said], text);

  it.each([
    'The Orla vaccine causes autism.',
    'The Orla vaccine does cause autism.',
    'The vaccine was approved in 1998 and causes autism.',
    'The vaccine was approved in 1998 in children.',
    'Children are taught by the Orla vaccine.',
    'The vaccine was approved in 1998 with 5 children.',
  ])('do not answer it: %s', (text) => {
    expect(isToldOf(text)).toBe(false);
  });

  it.each([
    'The vaccine was approved in 1998.',
    'The Orla vaccine was approved in 1998.',
    'The Orla vaccine of Kelm 5 was approved in 1998.',
    'Orla’s vaccine was approved in 1998.',
  ])('name what it is about: %s', (text) => {
    expect(isToldOf(text)).toBe(true);
  });
});

describe('a dispute in numbers', () => {
  const isTold = (text: string): boolean =>
    isShown('How many files does Wren keep?', ['Wren keeps 14 rotated files [1].', 'Wren keeps 30 rotated files [1].'], text);

  it.each([
    'Wren keeps 14 rotated files and another 30 rotated files.',
    'Wren keeps 14 files but rotated 30.',
    'Wren keeps 30 of 14 other files.',
    'Wren keeps 14 to 30 files, other reports agree.',
  ])('is not told as one thing: %s', (text) => {
    expect(isTold(text)).toBe(false);
  });

  it.each([
    'Wren keeps 14 files, while others report 30.',
    'Wren keeps 14 files in one report and 30 in another.',
    'Wren keeps between 14 and 30 files, though reports differ.',
  ])('is told by both: %s', (text) => {
    expect(isTold(text)).toBe(true);
  });
});

describe('a dispute on whether something holds', () => {
  const isTold = (text: string): boolean =>
    isShown('Did the Orla dam fail?', ['The Orla dam failed in 1998 [1].', 'The Orla dam did not fail in 1998 [1].'], text);

  it.each([
    'The Orla dam failed in 1998.',
    'The Orla dam failed in 1998, while others agree.',
    'The Orla dam did fail in 1998, others agree.',
    'The Orla dam did not fail in 1998, as other reports agree.',
    'Reports agree that the Orla dam failed in 1998.',
  ])('is not told from one side: %s', (text) => {
    expect(isTold(text)).toBe(false);
  });

  it.each([
    'The Orla dam failed in 1998, while others report that it did not fail.',
    'The Orla dam did not fail in 1998, though others report that the Orla dam failed.',
  ])('is told with its denial: %s', (text) => {
    expect(isTold(text)).toBe(true);
  });
});
