import { compareOpenApi, type Diff } from 'api-smart-diff';

type Document = Record<string, unknown>;

/** What breaks requests or generated code in both directions, though the library lets it pass in one. */
const BREAKING_KEYS = new Set(['type', 'format', 'nullable', 'operationId', 'security']);

/** The places at which a contract no longer keeps what the released one promised to clients, each with what became of it. */
export function breakingChanges(released: Document, current: Document): string[] {
  const { diffs } = compareOpenApi(released, current);
  return [...new Set(diffs.filter((diff) => isBreaking(diff)).map(lineOf))];
}

function isBreaking({ path, action, type }: Diff): boolean {
  const [root, kind, ...rest] = path;
  // What a schema is used for is known at the routes alone; here only its name counts, which generated code uses.
  if (root === 'components') return kind === 'schemas' && rest.length === 1 && action === 'remove';
  if (isInData(path)) return false;
  if (type === 'breaking') return true;
  const key = path.at(-1);
  if (action === 'remove' && path.includes('requestBody')) return path.at(-2) === 'properties';
  return BREAKING_KEYS.has(String(key)) && path.at(-2) !== 'properties';
}

/** Examples are for people. */
const isInData = (path: Diff['path']): boolean =>
  path.some((key, index) => /^examples?$/.test(String(key)) && path[index - 1] !== 'properties');

function lineOf({ path, action, before, after }: Diff): string {
  const change = action === 'replace' ? `${JSON.stringify(before)} -> ${JSON.stringify(after)}` : action;
  return `${path.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}: ${change}`;
}
