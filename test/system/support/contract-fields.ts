import { BUDGET_TIERS, CONFIDENCES, JOB_STATUSES, PROVIDERS, RESEARCH_MODES } from '@lib/domain/vocabulary';

/**
 * The fields of every response as the contract lists them: `toEqual` with one of these accepts no field more and none fewer.
 * What is nullable is null while a job runs; `FINAL` overrides it.
 */
const idOf = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)) as string;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const text = expect.any(String) as string;

const matcher = <Value>(name: string, accepts: (value: unknown) => boolean) =>
  ({ asymmetricMatch: accepts, toAsymmetricMatcher: () => name }) as unknown as Value;

const integer = matcher<number>('an integer of at least 0', (value) => Number.isInteger(value) && (value as number) >= 0);
const oneOf = <Value>(values: readonly Value[]) => matcher<Value>(`one of ${values.join()}`, (value) => values.includes(value as Value));
/** A list of which every element equals `element`. */
const listOf = <Element>(element: Element) =>
  matcher<Element[]>('a list of matching elements', (value) => {
    if (!Array.isArray(value)) return false;
    for (const one of value) expect(one).toEqual(element);
    return true;
  });

export const THREAD_CREATED = {
  id: idOf('thr'),
  title: text,
  message: { id: idOf('msg'), role: 'user', content: text },
  job: {
    id: idOf('job'),
    status: 'pending',
    budgetTier: oneOf(BUDGET_TIERS),
    budgetCapCents: integer,
    researchMode: oneOf(RESEARCH_MODES),
    spideringEnabled: expect.any(Boolean) as boolean,
  },
  createdAt: timestamp,
};

export const THREAD_LIST_ITEM = { id: idOf('thr'), title: text, createdAt: timestamp, updatedAt: timestamp };
export const MESSAGE = { id: idOf('msg'), role: 'user', content: text, costCents: null, createdAt: timestamp };
export const MESSAGE_ADDED = { id: idOf('msg'), threadId: idOf('thr'), role: 'user', content: text, createdAt: timestamp };

export const JOB_PURSUED = {
  id: idOf('job'),
  threadId: idOf('thr'),
  parentJobId: idOf('job'),
  topic: text,
  status: 'pending',
  budgetTier: oneOf(BUDGET_TIERS),
  researchMode: oneOf(RESEARCH_MODES),
  createdAt: timestamp,
};

export const OPEN_JOB_SUMMARY = {
  id: idOf('job'),
  status: oneOf(JOB_STATUSES),
  budgetTier: oneOf(BUDGET_TIERS),
  query: text,
  totalCustomerCostCents: 0,
  durationSeconds: null,
  createdAt: timestamp,
  completedAt: null,
};

export const FINAL_JOB_SUMMARY = { ...OPEN_JOB_SUMMARY, totalCustomerCostCents: integer, durationSeconds: integer, completedAt: timestamp };

export const OPEN_JOB = {
  ...OPEN_JOB_SUMMARY,
  threadId: idOf('thr'),
  budgetCapCents: integer,
  synthesisMarkdown: null,
  synthesisClaimsJson: null,
  steps: [],
};

export const CLAIM = {
  claim: text,
  confidence: oneOf(CONFIDENCES),
  supportingProviders: listOf(oneOf(PROVIDERS)),
  contradictingProviders: listOf(oneOf(PROVIDERS)),
};

const CITATION = {
  index: integer,
  url: text,
  title: matcher<string | null>('text or null', (value) => value === null || typeof value === 'string'),
  snippet: matcher<string | null>('text or null', (value) => value === null || typeof value === 'string'),
  startIndex: integer,
  endIndex: integer,
  publishedAt: null,
  domain: matcher<string | null>('text or null', (value) => value === null || typeof value === 'string'),
};

export const COMPLETED_STEP = {
  id: idOf('stp'),
  provider: oneOf(PROVIDERS),
  status: 'completed',
  reportMarkdown: expect.stringMatching(/./) as string,
  citations: listOf(CITATION),
  durationSeconds: integer,
  errorMessage: null,
  createdAt: timestamp,
  completedAt: timestamp,
};

/** A step without a report: what there is to read is why. */
export const UNFINISHED_STEP = {
  ...COMPLETED_STEP,
  status: oneOf(['failed', 'skipped']),
  reportMarkdown: '',
  citations: [],
  errorMessage: expect.stringMatching(/./) as string,
};

const FINAL_JOB = {
  ...OPEN_JOB,
  totalCustomerCostCents: integer,
  durationSeconds: integer,
  completedAt: timestamp,
};

export const COMPLETED_JOB = {
  ...FINAL_JOB,
  status: 'completed',
  synthesisMarkdown: expect.stringMatching(/./) as string,
  synthesisClaimsJson: listOf(CLAIM),
};

export const FAILED_JOB = { ...FINAL_JOB, status: 'failed', steps: listOf(UNFINISHED_STEP) };
