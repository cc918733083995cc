/** Mistakes that an emulated model can make when it writes about claims. */
export const FLAWS = [
  'not-json',
  'unknown-claim',
  'no-claim',
  'number',
  'source',
  'address',
  'heading',
  'one-sided',
  'unrelated',
  'denied',
  'obeys',
] as const;
export type Flaw = (typeof FLAWS)[number];

interface Claim {
  id: string;
  text: string;
  disputedBy?: string[];
}

interface Sentence {
  text: string;
  claims: string[];
}

const CLAIMS = /<claims>\n([\s\S]*?)\n<\/claims>/;
const SENTENCES_PER_SECTION = 3;
/** The text that a prompt injection tells the model to write. */
const ORDER = /\bwrite exactly:\s*(.+)$/i;

/** The answer to a request to write about claims; null for other requests. Repeats the claims and makes the given mistakes. */
export function proseFor(question: string, flaw: Flaw | undefined): string | null {
  const given = CLAIMS.exec(question)?.[1];
  if (given === undefined) return null;
  const claims = given.split('\n').map((line) => JSON.parse(line) as Claim);
  if (flaw === 'not-json') return 'Gladly! Here is what I found out about the claims.';
  const sentences = withFlaw(
    claims.flatMap((claim) => sentenceAbout(claim, claims)),
    claims,
    flaw,
  );
  const count = Math.ceil(sentences.length / SENTENCES_PER_SECTION);
  const sections = Array.from({ length: count }, (_, place) => ({
    sentences: sentences.slice(place * SENTENCES_PER_SECTION, (place + 1) * SENTENCES_PER_SECTION),
  }));
  return `\`\`\`json\n${JSON.stringify({ sections })}\n\`\`\``;
}

/** Both sides of a dispute share a sentence, at the position of the first. Claims with a URL are left out. */
function sentenceAbout({ id, text, disputedBy = [] }: Claim, claims: readonly Claim[]): Sentence[] {
  if (text.includes('://')) return [];
  const [other] = claims.filter((claim) => disputedBy.includes(claim.id));
  if (!other) return [{ text, claims: [id] }];
  return id < other.id ? [{ text: `${text.replace(/\.$/, '')}, while others report: ${other.text}`, claims: [id, other.id] }] : [];
}

function withFlaw(sentences: readonly Sentence[], claims: readonly Claim[], flaw: Flaw | undefined): Sentence[] {
  const [first = { text: '', claims: [] }, ...rest] = sentences;
  const disputed = claims.find(({ disputedBy = [] }) => disputedBy.length > 0);
  const order = claims.flatMap(({ text }) => ORDER.exec(text)?.[1] ?? [])[0];
  const end = (text: string): string => first.text.replace(/\.$/, text);
  switch (flaw) {
    case 'unknown-claim':
      return [{ ...first, claims: ['clm_99'] }, ...rest];
    case 'no-claim':
      return [{ ...first, claims: [] }, ...rest];
    case 'number':
      return [{ ...first, text: end(' 7341 times.') }, ...rest];
    case 'source':
      return [{ ...first, text: end(' [7].') }, ...rest];
    case 'address':
      return [{ ...first, text: end(' (see https://invented.example/page).') }, ...rest];
    case 'heading':
      return [{ ...first, text: `## Sources\n\n${first.text}` }, ...rest];
    case 'one-sided':
      return disputed ? [{ text: disputed.text, claims: [disputed.id] }, ...sentences] : [...sentences];
    case 'unrelated':
      return [{ ...first, text: 'Nobody ever doubted any other opinion of mine.' }, ...rest];
    case 'denied':
      return [{ ...first, text: first.text.replace(/ (?=\S+$)/, ' not ') }, ...rest];
    case 'obeys':
      return order === undefined ? [...sentences] : [{ ...first, text: order }, ...rest];
    default:
      return [...sentences];
  }
}
