/** Mistakes that an emulated model can make when it compares reports; `unconfirmed` may be none, but no program can tell. */
export const PROPOSAL_FLAWS = ['not-json', 'altered', 'swapped', 'smoothed', 'invented-dispute', 'foreign-source', 'unconfirmed'] as const;
export type ProposalFlaw = (typeof PROPOSAL_FLAWS)[number];

interface Quote {
  report: string;
  quote: string;
  sources?: number[];
}

interface Proposal {
  quotes: Quote[];
}

const REPORTS = /<reports>\n([\s\S]*?)\n<\/reports>/;
const MARKS = /\s*\[\d+\]/g;
const MIN_QUOTE_LENGTH = 20;

/** The answer to a request to compare reports; null for other requests. Equal sentences agree; those that differ in a number are disputed. */
export function proposalsFor(question: string, flaw: ProposalFlaw | undefined): string | null {
  const given = REPORTS.exec(question)?.[1];
  if (given === undefined) return null;
  if (flaw === 'not-json') return 'Gladly! They agree on most things.';
  const quotes = given.split('\n').flatMap((line) => sentencesOf(JSON.parse(line) as { report: string; text: string }));
  const claims = [...Map.groupBy(quotes, ({ quote }) => quote.replace(MARKS, '')).values()].map((same) => ({
    quotes: oncePerReport(same),
  }));
  const disputes = [...Map.groupBy(quotes, ({ quote }) => quote.replace(MARKS, '').replace(/\d+/g, '#')).values()].flatMap((alike) => {
    const [one] = alike;
    const other = alike.find(({ report, quote }) => report !== one?.report && quote.replace(MARKS, '') !== one?.quote.replace(MARKS, ''));
    return one && other ? [{ quotes: [one, other] }] : [];
  });
  return JSON.stringify(withFlaw(claims, disputes, flaw));
}

function withFlaw(claims: Proposal[], disputes: Proposal[], flaw: ProposalFlaw | undefined): { claims: Proposal[]; disputes: Proposal[] } {
  const changed = (change: (quote: Quote, place: number, quotes: readonly Quote[]) => Quote): Proposal[] =>
    claims.map(({ quotes }) => ({ quotes: quotes.map(change) }));
  switch (flaw) {
    case 'altered':
      return { claims: changed((quote) => ({ ...quote, quote: quote.quote.replace(/ (?=\S+$)/, ' never ') })), disputes: [] };
    case 'swapped':
      return { claims: changed((quote) => ({ ...quote, report: 'R99' })), disputes: [] };
    case 'smoothed':
      return { claims: disputes, disputes: [] };
    case 'invented-dispute':
      return { claims: [], disputes: claims.flatMap(({ quotes: [one, other] }) => (one && other ? [{ quotes: [one, other] }] : [])) };
    case 'foreign-source':
      return { claims: changed((quote) => ({ ...quote, sources: [99] })), disputes: [] };
    case 'unconfirmed': {
      const alone = claims.flatMap(({ quotes: [quote, ...others] }) => (quote && others.length === 0 ? [quote] : []));
      const other = alone.find(({ report }) => report !== alone[0]?.report);
      return { claims: [], disputes: alone[0] && other ? [{ quotes: [alone[0], other] }] : [] };
    }
    default:
      return { claims, disputes };
  }
}

function sentencesOf({ report, text }: { report: string; text: string }): Quote[] {
  return text
    .split(/\n+|(?<=[.!?](?:\s?\[\d+\])*)\s+(?=\p{Lu})/u)
    .map((quote) => quote.trim())
    .filter((quote) => quote.length >= MIN_QUOTE_LENGTH && !quote.startsWith('#'))
    .map((quote) => ({ report, quote }));
}

const oncePerReport = (quotes: readonly Quote[]): Quote[] => [...new Map(quotes.map((quote) => [quote.report, quote])).values()];
