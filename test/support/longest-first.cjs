const { existsSync } = require('node:fs');
const { resolve } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The specs that take 20 s and more, longest first, though some of them are small files, which a machine that has never run them would begin last.
 * They wait for most of their time, so they are spread among the others, which compute: beside each other they would leave the processors idle.
 * The others come in jest's own order: by their last times where it knows them.
 */
const LONG = [
  'chaos/chaos',
  'cli/status',
  'providers/system/killed-workers',
  'cli/silent-server',
  'providers/adapters',
  'system/command-line',
  'cli/drain',
  'k8s/firing-alerts',
  'faults/late-database',
  'faults/kill-points',
  'store/oldest-postgres',
  'store/late-answers',
  'rolling/rolling',
  'providers/system/behaviours',
  'synthesizer/system/killed-synthesizer',
  'faults/shutdown',
  'messaging/nats-cluster',
  'faults/waiting',
  'system/as-database-roles',
  'mcp/mcp',
  'worker/late-answers',
  'faults/paused-workers',
  'providers/corpus-bombs',
  'faults/following',
  'faults/isolated-saga',
  'attacks/request-flood',
  'system/silent-database',
  'backup/restore',
  'synthesizer/system/model-synthesis',
  'faults/small-messages',
  'faults/worker',
  'faults/broker',
  'telemetry/traces',
  'live/long-polls',
];

const missing = LONG.find((name) => !existsSync(resolve(__dirname, `../${name}.spec.ts`)));
if (missing) throw new Error(`${__filename} names ${missing}, which is no spec any more: rename or remove it there`);

const placeOf = ({ path }) => LONG.findIndex((name) => path.endsWith(`/test/${name}.spec.ts`));

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const long = sorted.filter((test) => placeOf(test) !== -1).sort((one, other) => placeOf(one) - placeOf(other));
    const others = sorted.filter((test) => placeOf(test) === -1);
    const between = Math.ceil(others.length / Math.max(long.length, 1));
    const mixed = others.flatMap((test, place) => (place % between === 0 ? [...long.splice(0, 1), test] : [test]));
    return [...mixed, ...long];
  }
};
