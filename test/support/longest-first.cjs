const { existsSync } = require('node:fs');
const { resolve } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Specs that take longest, though some of them are small files: a machine that has never run them would begin them by their size, and run the one that
 * it begins last alone. Among the others jest's own order stands: by their last times where it knows them.
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

const missing = LONG.find((name) => !existsSync(resolve(__dirname, `../${name}.spec.ts`)));
if (missing) throw new Error(`${__filename} names ${missing}, which is no spec any more: rename or remove it there`);

/** Smaller is earlier. */
function placeOf({ path }) {
  const place = LONG.findIndex((name) => path.endsWith(`/test/${name}.spec.ts`));
  return place === -1 ? LONG.length : place;
}

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
