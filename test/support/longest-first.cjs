const { statSync } = require('node:fs');

/**
 * Specs that take longest, though some of them are small files: a machine that has never run them would begin them by their size, and run the one that
 * it begins last alone.
 */
const LONG = [
  'synthesizer/system/model-synthesis',
  'store/oldest-postgres',
  'chaos/chaos',
  'system/command-line',
  'system/as-database-roles',
  'providers/system/killed-workers',
  'providers/adapters',
  'cli/drain',
  'rolling/rolling',
  'faults/kill-points',
  'faults/shutdown',
  'cli/status',
  'k8s/firing-alerts',
  'store/memory',
  'synthesizer/system/killed-synthesizer',
  'faults/rebuilt-views',
  'backup/restore',
  'mcp/mcp',
  'attacks/long-thread',
  'faults/waiting',
  'contract/breaking-changes',
];

/** Smaller is earlier. */
function placeOf(path) {
  const place = LONG.findIndex((name) => path.endsWith(`/test/${name}.spec.ts`));
  return place === -1 ? LONG.length : place;
}

module.exports = class LongestFirst {
  sort(tests) {
    const known = tests.map((test) => ({ test, place: placeOf(test.path), bytes: statSync(test.path).size }));
    return known.sort((one, other) => one.place - other.place || other.bytes - one.bytes).map(({ test }) => test);
  }

  cacheResults() {}
};
