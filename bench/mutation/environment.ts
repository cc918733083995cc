import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { active, mutation, WHOLE_SPEC } from './active';

/** Runs only the tests that execute the mutant, and stops after the first failure. */
export default class MutationEnvironment extends TestEnvironment {
  constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
    super(...given);
    active.test = WHOLE_SPEC;
    active.failed = false;
    this.global.mutation = mutation;
  }

  handleTestEvent(event: Circus.Event): void {
    if (event.name === 'test_start') {
      active.test = nameOf(event.test);
      const isAsked = active.passed !== null || (!active.failed && (active.only === null || active.only.has(active.test)));
      if (!isAsked) event.test.mode = 'skip';
    }
    if (event.name === 'test_done') {
      active.failed ||= event.test.errors.length > 0;
      if (active.passed !== null && event.test.errors.length === 0) active.sound.push(active.test);
      active.test = WHOLE_SPEC;
    }
  }
}

/** With the names of the blocks around it. */
const nameOf = ({ name, parent }: Circus.TestEntry | Circus.DescribeBlock): string => (parent ? `${nameOf(parent)} > ${name}` : name);
