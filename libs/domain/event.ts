/** What every event records besides its facts: who, when and why. */
export interface EventMeta {
  /** ISO 8601 UTC with milliseconds; never decreases within a stream. */
  occurredAt: string;
  /** `key:<key id>` of the API key, `role:<role>` of the process that decided, or `command:<operating-system user>` of an operator's command. */
  actor: string;
  /** Our own id of the HTTP request or unit of work that started the chain of events. A caller's request id goes only into the log. */
  correlationId: string;
  /** The event that this one reacts to; null for the first of a chain. */
  causationId: string | null;
  /** Null today; earlier builds recorded the client's. The field stays because the published hash-chain formula covers it. */
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
  /** The content, if the decider already produced it as JSON. */
  contentJson?: string;
}

/**
 * For the `default` of a switch over event types: if the switch forgets a type, it does not compile. At run time, only a type that a newer build
 * wrote gets here.
 */
export function unknownEvent(stream: 'thread' | 'job' | 'tenant', event: never): never {
  throw new Error(`unknown ${stream} event ${JSON.stringify(event)}: this version is older than the history it reads`);
}
