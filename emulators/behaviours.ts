import { PROPOSAL_FLAWS, type ProposalFlaw } from './proposals';
import { FLAWS, type Flaw } from './prose';

/** The behaviours that an emulated provider can be given. */
export const BEHAVIOURS = [
  // Transport.
  'slow',
  'hang',
  'hang-body',
  'reset',
  'reset-body',
  'status',
  'drip',
  'gzip-bomb',
  'invalid-utf8',
  'invalid-json',
  // Content.
  'fails',
  'refusal',
  'truncated',
  'empty',
  'no-citations',
  'citations',
  'citations-out-of-range',
  'usage',
  'cost',
  'greedy',
  'overcharge',
  'injection',
  'prose',
  'proposals',
  // Course of a run.
  'never-ends',
  'late',
  'forgotten',
  'unstoppable',
  'pause',
] as const;
export type BehaviourName = (typeof BEHAVIOURS)[number];

export const CALLS = ['submit', 'poll', 'cancel'] as const;
export type Call = (typeof CALLS)[number];

export interface Behaviour {
  name: BehaviourName;
  /** The call that it applies to; by default the one that its name suggests. */
  on?: Call;
  /** For `slow` and `late`: milliseconds. */
  ms: number;
  /** For `status`. */
  code: number;
  /** For `status`: the error's type, if a code has several, such as `insufficient_quota`. */
  type?: string;
  /** For `status`: seconds. */
  retryAfter?: number;
  /** For `citations`. */
  count: number;
  /** For `drip` and `gzip-bomb`. */
  megabytes: number;
  /** For `cost` and `usage`: how they are reported. */
  as: 'missing' | 'negative' | 'nan';
  /** For `prose`: what is wrong with a model's text about claims. */
  flaw?: Flaw;
  /** For `proposals`: what is wrong with a model's comparison of reports. */
  proposing?: ProposalFlaw;
  /** For `overcharge`: dollars. */
  usd: number;
  /** Applies this many times only. */
  times: number;
  /** Applies to this API only, for questions that go to several. */
  api?: string;
}

const DEFAULTS: Omit<Behaviour, 'name'> = {
  ms: 2000,
  code: 500,
  count: 10_000,
  megabytes: 200,
  as: 'missing',
  usd: 100,
  times: Infinity,
};

/**
 * Reads behaviours such as `slow ms=500`, `429 retry-after=2`, `hang on=poll, cost as=nan`: separated by commas, each a name with settings. A
 * number stands for `status code=`.
 * @throws Error that names the unknown part
 */
export function parseBehaviours(text: string): Behaviour[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseBehaviour);
}

function parseBehaviour(text: string): Behaviour {
  const [first = '', ...settings] = text.split(/\s+/);
  const name = BEHAVIOURS.find((known) => known === first);
  const code = Number(first);
  if (!name && !(code >= 200 && code < 600)) throw new Error(`"${first}" is no behaviour: use a status or one of ${BEHAVIOURS.join(', ')}`);
  const behaviour: Behaviour = name ? { ...DEFAULTS, name } : { ...DEFAULTS, name: 'status', code };
  return Object.assign(behaviour, Object.fromEntries(settings.map(parseSetting)));
}

const TEXTS: Readonly<Record<string, readonly string[] | null>> = {
  on: CALLS,
  as: ['missing', 'negative', 'nan'],
  flaw: FLAWS,
  proposing: PROPOSAL_FLAWS,
  type: null,
  api: null,
};
const NUMBERS = ['ms', 'code', 'retry-after', 'count', 'megabytes', 'usd', 'times'];

function parseSetting(text: string): [string, string | number] {
  const [name = '', value = ''] = text.split('=');
  const values = TEXTS[name];
  const known = NUMBERS.includes(name) ? value !== '' && Number(value) >= 0 : values === null || values?.includes(value);
  if (!known) throw new Error(`"${text}" is no setting of a behaviour: use ${[...NUMBERS, ...Object.keys(TEXTS)].join('=, ')}=`);
  return [name === 'retry-after' ? 'retryAfter' : name, NUMBERS.includes(name) ? Number(value) : value];
}

/** The behaviours that a question asks for in the form `[[emulate:<behaviours>]]`. */
export function directivesOf(question: string, api: string): Behaviour[] {
  const texts = Array.from(question.matchAll(/\[\[emulate:([^\]]*)\]\]/g), ([, text]) => text ?? '');
  return texts.flatMap(parseBehaviours).filter((behaviour) => (behaviour.api ?? api) === api);
}

/** These apply to the first call; other transport failures apply to the call that returns the result. */
const AT_SUBMIT: readonly BehaviourName[] = ['status', 'slow', 'hang', 'reset'];

/** @param resultCall the call that returns a run's result */
export function showsAt({ name, on }: Behaviour, call: Call, resultCall: Call): boolean {
  return (on ?? (AT_SUBMIT.includes(name) ? 'submit' : resultCall)) === call;
}
