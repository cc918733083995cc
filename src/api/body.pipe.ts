import { Inject, Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';

import { rulesOf, type Rule } from './body-rules';
import { invalidRequest, Problem, type Violation } from './problems';
import { pointerTo, quoted } from './quoted';

/** The neutral identifier behind a provider's identifier or alias; undefined if it is neither. */
export type ResolveProvider = (name: string) => string | undefined;
export const RESOLVE_PROVIDER = Symbol('ResolveProvider');

/** More than anyone reads, and few enough that an answer stays small whatever was sent. */
const MAX_VIOLATIONS = 50;

const sent = new WeakMap<object, ReadonlySet<string>>();

/** The properties of a body that its client sent; the others have their defaults. */
export const sentProperties = (body: object): ReadonlySet<string> => sent.get(body) ?? new Set();

/** Makes the body of a request into the handler's class, or says everything that is wrong with it at once. */
@Injectable()
export class BodyPipe implements PipeTransform {
  constructor(@Inject(RESOLVE_PROVIDER) private readonly resolveProvider: ResolveProvider) {}

  transform(body: unknown, { metatype }: ArgumentMetadata): object {
    if (!metatype) throw new Error('a body needs a class that says what it may hold');
    if (body === undefined) throw new Problem('invalid_json', 'The body is empty: send a JSON object.', [wholeBody('The body is empty.')]);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw invalidRequest([{ pointer: '', code: 'invalid_type', message: 'The body must be a JSON object.' }]);
    }
    const rules = rulesFor(metatype);
    const request = new metatype() as Record<string, unknown>;
    const names = [...rules.keys()].filter((name) => Object.hasOwn(body, name));
    for (const name of names) request[name] = this.resolved((body as Record<string, unknown>)[name]);
    sent.set(request, new Set(names));
    const violations = [...unknownProperties(body, rules), ...violationsOf(request, rules)];
    if (violations.length > 0) throw invalidRequest(violations.slice(0, MAX_VIOLATIONS));
    return request;
  }

  /** Lists hold nothing but provider names. */
  private resolved(value: unknown): unknown {
    return Array.isArray(value)
      ? value.map((item: unknown) => (typeof item === 'string' ? (this.resolveProvider(item) ?? item) : item))
      : value;
  }
}

type Rules = ReadonlyMap<string, Rule>;
const rulesByClass = new Map<unknown, Rules>();

function rulesFor(bodyClass: new () => object): Rules {
  const rules = rulesByClass.get(bodyClass) ?? rulesOf(bodyClass);
  rulesByClass.set(bodyClass, rules);
  return rules;
}

function unknownProperties(body: object, rules: Rules): Violation[] {
  const unknown = Object.keys(body).filter((name) => !rules.has(name));
  return unknown.map((name) => ({
    pointer: pointerTo(name),
    code: 'unknown_property',
    message: `The property ${quoted(name)} is unknown: the body may hold ${[...rules.keys()].join(', ')}.`,
  }));
}

function violationsOf(request: Record<string, unknown>, rules: Rules): Violation[] {
  const violations: Violation[] = [];
  for (const [property, rule] of rules) {
    for (const { at, code, message } of rule(request[property]))
      violations.push({ pointer: `${pointerTo(property)}${at}`, code, message: `${property}${at} ${message}` });
  }
  return violations;
}

const wholeBody = (message: string): Violation => ({ pointer: '', code: 'invalid_json', message });
