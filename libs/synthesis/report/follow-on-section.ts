import type { FollowOnTopic } from '@lib/domain/job/recorded-report';
import { withPlainBrackets } from './claim-text';
import { partOf } from './follow-on';
import { inertText } from './markdown-text';
import { section } from './wording';

/** What would be worth asking next, each with its reason. Of what question it is a part the reader knows. */
export function followOnSection(topics: readonly FollowOnTopic[], query: string): string[] {
  const behind = `, ${partOf(query)}`;
  return section(
    '## Worth pursuing next',
    topics.map(
      ({ topic, rationale }) =>
        `- ${withPlainBrackets(inertText(topic.endsWith(behind) ? topic.slice(0, -behind.length) : topic))} — ${inertText(rationale)}`,
    ),
  );
}
