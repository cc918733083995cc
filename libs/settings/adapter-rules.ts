import type { KeyVariable } from '@lib/domain/key-variable';
import type { ResearchMode } from '@lib/domain/vocabulary';

/** What the settings have to know about an adapter. The service passes in what each adapter declares in its folder of libs/providers. */
export interface AdapterRules {
  /** Its name in the providers file. */
  readonly name: string;
  /** Class of its options, with class-validator decorators; initial values are defaults. */
  readonly Options: new () => object;
  /** Absent for an adapter that calls no API. */
  readonly key?: KeyVariable;
  /** How long a run typically takes; absent for an adapter that calls no API. */
  readonly typicalSeconds?: Readonly<Record<ResearchMode, number>>;
  /** Absent for an API that cannot write the summary of a report. */
  readonly languageModel?: { readonly Options: new () => object };
}
