import type { SynthesisInput } from '@lib/synthesis/synthesis';
import type { Citation } from '@lib/domain/citation';
import { checkSummary } from '@lib/synthesis/summary/check';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { Pair } from '../disputes/pairs';
import { RIGHT, WRONG } from './changes';

/** Something that a model could put forward, and whether it is right. */
export interface Case {
  kind: string;
  isRight: boolean;
  shown: string;
  isAccepted: () => boolean;
}

interface Quote {
  report: 'R1' | 'R2';
  quote: string;
  sources?: number[];
}

/** What can be made of a pair; `other` is a sentence about something else. */
export function casesOf({ claim, refuted }: Pair, { claim: other }: Pair): Case[] {
  const proposal = (
    kind: string,
    isRight: boolean,
    [first, second]: readonly [string, string],
    claims: Quote[],
    disputes: Quote[] = [],
  ): Case => ({
    ...{ kind, isRight, shown: `${first} / ${second}` },
    isAccepted: () => accepts([first, second], claims, disputes),
  });
  const both = (first: string, second: string): Quote[] => [
    { report: 'R1', quote: first },
    { report: 'R2', quote: second },
  ];
  const wrong = Object.entries(WRONG).flatMap(([name, change]): Case[] => {
    const changed = change(claim, other);
    if (changed === null) return [];
    const front = RIGHT['time first']?.(changed, other);
    return [
      proposal(`quote altered: ${name}`, false, [claim, other], [{ report: 'R1', quote: changed }]),
      proposal(`agreement although: ${name}`, false, [claim, changed], both(claim, changed)),
      ...(front ? [proposal(`agreement although: ${name}`, false, [claim, front], both(claim, front))] : []),
      summary(`summary: ${name}`, false, [claim], changed),
      ...(name === 'polarity' || (name === 'number' && !LOOSE_NUMBER.test(claim))
        ? [proposal(`dispute: ${name}`, true, [claim, changed], [], both(claim, changed))]
        : []),
    ];
  });
  const right = Object.entries(RIGHT).flatMap(([name, change]): Case[] => {
    const changed = change(claim, other);
    if (changed === null) return [];
    return [
      proposal(`agreement: ${name}`, true, [claim, changed], both(claim, changed)),
      summary(`summary: ${name}`, true, [claim], changed),
      proposal('dispute of what agrees', false, [claim, changed], [], both(claim, changed)),
    ];
  });
  return [
    ...wrong,
    ...right,
    proposal('claim with its source', true, [claim, other], [{ report: 'R1', quote: claim, sources: [1] }]),
    proposal('provider swapped', false, [claim, other], [{ report: 'R2', quote: claim }]),
    proposal('source swapped', false, [claim, other], [{ report: 'R1', quote: claim, sources: [2] }]),
    proposal('dispute of what is unrelated', false, [claim, other], [], both(claim, other)),
    proposal('agreement of what a person wrote as its opposite', false, [claim, refuted], both(claim, refuted)),
    proposal('dispute of what a person wrote as its opposite', true, [claim, refuted], [], both(claim, refuted)),
    summary('summary: two claims', true, [claim, other], `${claim.slice(0, -1)}, and ${inSentence(other)}`),
  ];
}

/** Of two of these both can hold. */
const LOOSE_NUMBER = /\b(?:about|around|over|nearly|almost|approximately|more than|less than|at least|up to)\b|\d0s\b/i;

const inSentence = (sentence: string): string =>
  sentence.replace(
    /^(?:The|A|An|In|On|At|During|After|Other|Most|Some|Many|Within|From|According|Two|Among|Examples|Flowers|Implementation|Criticisms)(?= )/,
    (word) => word.toLowerCase(),
  );

function accepts(texts: readonly [string, string], claims: Quote[], disputes: Quote[]): boolean {
  const answer = JSON.stringify({
    claims: claims.length > 0 ? [{ quotes: claims }] : [],
    disputes: disputes.length > 0 ? [{ quotes: disputes }] : [],
  });
  return verifyProposals(inputOf(texts), answer)?.refused === 0;
}

function summary(kind: string, isRight: boolean, claims: readonly string[], text: string): Case {
  const sheet = new Map(
    claims.map((said, place) => {
      const id = `clm_0${String(place + 1)}`;
      return [id, { id, text: said, confidence: 'low' as const, saidBy: [], disputedBy: [], evidence: [] }];
    }),
  );
  const answer = JSON.stringify({ sections: [{ sentences: [{ text, claims: [...sheet.keys()] }] }] });
  return { kind, isRight, shown: `${claims.join(' / ')} => ${text}`, isAccepted: () => checkSummary(answer, '', sheet).refused === 0 };
}

function inputOf(texts: readonly [string, string]): SynthesisInput {
  const steps = texts.map((text, place) => ({
    ...{
      stepId: `stp_${String(place)}`,
      provider: place === 0 ? ('provider-a' as const) : ('provider-b' as const),
      status: 'completed' as const,
    },
    ...{ reportMarkdown: `${text.slice(0, -1)} [1].`, citations: [citation(1, place), citation(2, place)] },
    ...{ errorMessage: null, failure: null, truncated: false },
  }));
  return { query: 'What is known?', mode: 'methodical', tier: 'M', steps };
}

function citation(index: number, place: number): Citation {
  const domain = `site-${String(place)}-${String(index)}.example`;
  return {
    ...{ index, domain, url: `https://${domain}/`, title: null, snippet: null },
    startIndex: null,
    endIndex: null,
    publishedAt: null,
  };
}
