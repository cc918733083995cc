import { FLAWS, type Flaw } from './prose';

/** How an emulated provider can be told to behave. */
export const BEHAVIOURS = [
  // What travels.
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
  // What is said.
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
  // How a run goes.
  'never-ends',
  'late',
  'forgotten',
  'pause',
] as const;
export type BehaviourName = (typeof BEHAVIOURS)[number];

export const CALLS = ['submit', 'poll', 'cancel'] as const;
export type Call = (typeof CALLS)[number];

export interface Behaviour {
  name: BehaviourName;
  /** The call it shows at; by default the one that its name suggests. */
  on?: Call;
  /** Milliseconds, of `slow` and `late`. */
  ms: number;
  /** Of `status`. */
  code: number;
  /** Of `status`: the error's own type where a code has several, such as `insufficient_quota`. */
  type?: string;
  /** Seconds, of `status`. */
  retryAfter?: number;
  /** Of `citations`. */
  count: number;
  /** Of `drip` and `gzip-bomb`. */
  megabytes: number;
  /** Of `cost` and `usage`: what they are told as. */
  as: 'missing' | 'negative' | 'nan';
  /** Of `prose`: what is wrong with what a model writes about claims. */
  flaw?: Flaw;
  /** Of `overcharge`, in dollars. */
  usd: number;
  /** It shows so often and then no more. */
  times: number;
  /** In a question that goes to several APIs: the one that is meant. */
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
 * Reads behaviours such as `slow ms=500`, `429 retry-after=2`, `hang on=poll, cost as=nan`: separated by commas, each a name with settings.
 * A number is short for `status code=`.
 * @throws Error naming what is unknown
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

/** A client meets these at once; whatever else travels wrongly does so with the result. */
const AT_SUBMIT: readonly BehaviourName[] = ['status', 'slow', 'hang', 'reset'];

/** @param resultCall the call whose answer tells a run's result */
export function showsAt({ name, on }: Behaviour, call: Call, resultCall: Call): boolean {
  return (on ?? (AT_SUBMIT.includes(name) ? 'submit' : resultCall)) === call;
}
