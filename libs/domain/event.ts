/** What every event records besides its facts: who, when and why. */
export interface EventMeta {
  /** ISO 8601 UTC with milliseconds; never decreases within a stream. */
  occurredAt: string;
  /** `key:<key id>` of the API key, `role:<role>` of the process that decided, or `command:<operating-system user>` of an operator's command. */
  actor: string;
  /** Our own id of the HTTP request or unit of work that started the chain of events. An id that the caller sends goes only into the log. */
  correlationId: string;
  /** The event that this one reacts to; null for the first of a chain. */
  causationId: string | null;
  /**
   * Always null today; earlier builds recorded what the client sent. The field stays because the published formula of the chain includes its name.
   */
  traceparent: string | null;
}

/**
 * Facts hold ids, enums, amounts, durations, counts, sizes, digests, versions and dates, never content. Content is what people wrote
 * and providers answered. It is stored sealed and can be erased, so no decision may depend on it.
 */
export interface EventShape<Type extends string, Facts extends object, Content extends object | undefined = undefined> {
  type: Type;
  facts: Facts;
  content?: Content;
  /** Replaces the content where the decision already made it JSON. */
  contentJson?: string;
}

/**
 * For the `default` of a switch over event types: a type that the switch forgets does not compile. If an unknown type still occurs at runtime, a
 * newer build wrote it.
 */
export function unknownEvent(stream: 'thread' | 'job' | 'tenant', event: never): never {
  throw new Error(`unknown ${stream} event ${JSON.stringify(event)}: this version is older than the history it reads`);
}
