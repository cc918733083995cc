const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** What is smaller is compiled as fast as a kept copy is looked at. */
const LARGE = 100_000;
const compiled = new Map();
const { compileFunction } = vm;

/**
 * Each spec has a context of its own, for which jest compiles every file anew. V8 would find the code of the last time, but not with the import() that
 * jest gives to each file. So what V8 made of the large files is kept here for the next spec of this process: a sixth of a second for packages.js.
 */
vm.compileFunction = (code, parameters, options = {}) => {
  if (code.length < LARGE) return compileFunction(code, parameters, options);
  const { filename } = options;
  const kept = compiled.get(filename);
  if (kept?.code === code) {
    const again = compileFunction(code, parameters, { ...options, cachedData: kept.cachedData });
    if (again.cachedDataRejected) compiled.delete(filename);
    return again;
  }
  const made = compileFunction(code, parameters, { ...options, produceCachedData: true });
  if (made.cachedData) compiled.set(filename, { code, cachedData: made.cachedData });
  return made;
};

module.exports = TestEnvironment;
