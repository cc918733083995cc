import { testAnswers } from './adapters/answers';
import { testFailures } from './adapters/failures';
import { testLimits } from './adapters/limits';
import { testRuns } from './adapters/runs';
import type { AdapterUnderTest } from './adapters/stand';

/** What every adapter of a real API must do, whatever the provider does; tested through HTTP alone. */
export function testAdapterContract(adapter: AdapterUnderTest): void {
  describe(adapter.api, () => {
    testAnswers(adapter);
    testFailures(adapter);
    testLimits(adapter);
    testRuns(adapter);
  });
}
