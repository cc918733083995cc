/**
 * Ends a run with the line `N passed, N failed, N skipped`, after jest's own summary. A suite that failed to load counts as one failure, and so
 * does a run without a test.
 */
module.exports = class SummaryReporter {
  onRunComplete(_contexts, results) {
    const passed = results.numPassedTests;
    const executed = passed + results.numFailedTests + results.numRuntimeErrorTestSuites;
    this.failed = executed === 0 ? 1 : results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.once('exit', () => process.stdout.write(`${passed} passed, ${this.failed} failed, ${skipped} skipped\n`));
  }

  getLastError() {
    return this.failed > 0 ? new Error('some tests failed, or none ran') : undefined;
  }
};
