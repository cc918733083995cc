import { verifyProposals } from '@lib/synthesis/proposals/verify';
import { findingsOf } from '@lib/synthesis/synthesize';
import { inputOf, KINDS, linesOf, placeOf, type Case } from './cases';
import { outcomeOf, OUTCOMES, OUTCOMES_BY_MODEL, type Outcome } from './outcomes';

/** In chatty wording, with what a language model answered when it was asked to compare the reports. */
const SETS = ['chat-tuning', 'chat-held-out'] as const;
const ALL: readonly Outcome[] = [...OUTCOMES, ...OUTCOMES_BY_MODEL];

interface ProposedCase extends Case {
  proposed: string;
}

/** What a reader of a whole report of budget M sees of each pair of sentences, without a model and with one. */
export async function printWithModel(): Promise<void> {
  console.log(`\n| ${['set', 'pairs that', 'with', 'number', ...ALL].join(' | ')} |`);
  console.log(`| ${Array.from({ length: ALL.length + 4 }, () => '---').join(' | ')} |`);
  for (const set of SETS) {
    const cases = await linesOf<ProposedCase>(set);
    for (const isWithModel of [false, true]) {
      const seen = cases.flatMap((one) => outcomesOf(one, isWithModel));
      for (const kind of KINDS) {
        const own = seen.filter((pair) => pair.kind === kind);
        const counts = ALL.map((wanted) => own.filter(({ outcome }) => outcome === wanted).length);
        console.log(`| ${[set, kind, isWithModel ? 'a model' : 'none', own.length, ...counts].join(' | ')} |`);
      }
    }
  }
}

function outcomesOf({ query, reports, pairs, proposed }: ProposedCase, isWithModel: boolean) {
  const input = { ...inputOf({ query, reports }), mode: 'methodical' as const };
  const findings = findingsOf(input, isWithModel ? verifyProposals(input, proposed) : null);
  return pairs.map(({ a, b, kind }) => ({ kind, outcome: outcomeOf(findings, placeOf(reports, a), placeOf(reports, b)) }));
}
