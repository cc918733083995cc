/** Nothing was done. Not 1, which means of some commands that they found something, as of `research verify` that a history was changed. */
const EXIT_REFUSED = 3;
/** Imported before everything else, because older versions fail in the middle of a module with a message that does not name the cause. */
const OLDEST = [24, 9] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `This needs Node ${OLDEST.join('.')} or newer, and is run by ${process.version}: use node_modules/.bin/node of this folder, which npm ci installs.\n`,
  );
  process.exit(EXIT_REFUSED);
}
