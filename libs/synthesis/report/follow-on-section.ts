import type { FollowOnTopic } from '@lib/domain/job/recorded-report';
import { inertText } from './markdown-text';
import { section } from './wording';

/** What would be worth asking next, each with its reason. */
export function followOnSection(topics: readonly FollowOnTopic[]): string[] {
  return section(
    '## Worth pursuing next',
    topics.map(({ topic, rationale }) => `- ${inertText(topic)} — ${inertText(rationale)}`),
  );
}
