import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A threshold for how long something has been waiting, in seconds. */
const AGE = /(research_\w+_(?:oldest|age)_seconds\)? > )(\d+)/g;

/**
 * The shipped rules with every window, every `for` and every threshold for an age so many times shorter; expressions and other thresholds are as
 * they are.
 */
export function quickRules(factor: number): string {
  const shorter = (duration: string): string =>
    duration.replace(
      /^(\d+)([smhd])$/,
      (_, count: string, unit: string) => `${Math.ceil((Number(count) * (UNITS[unit] ?? NaN)) / factor)}s`,
    );
  const { spec } = parse(readFileSync('k8s/components/monitoring/rules.yaml', 'utf8')) as {
    spec: { groups: { name: string; rules: { expr: string; for?: string }[] }[] };
  };
  const groups = spec.groups.map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) => ({
      ...rule,
      expr: rule.expr
        .replace(/\[(\w+)\]/g, (_, duration: string) => `[${shorter(duration)}]`)
        .replace(AGE, (_, age: string, seconds: string) => age + Number(seconds) / factor),
      ...(rule.for ? { for: shorter(rule.for) } : {}),
    })),
  }));
  return stringify({ groups });
}
