import type { KeyVariable } from '@lib/domain/key-variable';
import type { ResearchMode } from '@lib/domain/vocabulary';
import type { ConfiguredModel, LanguageModel, LanguageModelOptions } from './language-model/language-model';
import type { ResearchProvider } from './research-provider';

/** Where an adapter reports progress; never the content of documents. */
export interface AdapterLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What an adapter may need besides its own options. */
export interface Surroundings {
  /** The value of the adapter's key variable; null if it is not set or the adapter has none. */
  key: string | null;
  /** Folder of documents; undefined means the documentation of the installed packages. */
  corpusDir: string | undefined;
  /** Folder for data that can be recreated, such as indexes; null keeps nothing. */
  cacheFolder: string | null;
  log: AdapterLog;
}

/** What an adapter found out about its own surroundings, without calling a provider. */
export interface Inspection {
  detail: string;
  /** The remedy for the operator; null if all is well. */
  remedy: string | null;
}

/**
 * Everything that the service knows of an adapter before it is used. The `declaration.ts` of its folder holds it, and the registry lists it. The
 * adapter's code is imported only when a provider is made, so that a process without workers never loads it.
 */
export interface Adapter<Options extends object = object, ModelOptions extends LanguageModelOptions = LanguageModelOptions> {
  /** Its name in the providers file. */
  readonly name: string;
  /** Options with their rules and defaults. */
  readonly Options: new () => Options;
  /** Absent where no API is called. */
  readonly key?: KeyVariable;
  /** Where its answers come from, for operators. */
  readonly origin?: string;
  /**
   * How long a run typically takes, by our own estimate; close to nothing if no API is called. The default choice of providers uses it, and an entry
   * of the providers file may override it.
   */
  readonly typicalSeconds?: Readonly<Record<ResearchMode, number>>;
  /** Its reports are made up, so the doctor warns about it. */
  readonly invents?: true;
  /**
   * Whether it reads local documents itself, so that its reports may cite them. A saga of the release before drops what its own declaration does not
   * allow: set this one release before the first reports that cite some.
   */
  readonly citesDocuments: boolean;
  create(options: Options, surroundings: Surroundings): Promise<ResearchProvider>;
  inspect?(surroundings: Pick<Surroundings, 'corpusDir'>): Promise<Inspection>;
  /** Absent where the API cannot write the summary of a report. */
  readonly languageModel?: {
    readonly Options: new () => ModelOptions;
    create(model: ConfiguredModel, key: string | null): Promise<LanguageModel>;
  };
}

/** The key of an API that cannot be called without one. Settings have checked that it is set. */
export function required(key: string | null): string {
  if (key === null) throw new Error('This adapter cannot work without a key');
  return key;
}
