import { configureGlobal } from 'fast-check';

/** A counterexample need not be made small to notice a mutant, and most mutants are noticed in the first runs. */
configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 2_000 });
