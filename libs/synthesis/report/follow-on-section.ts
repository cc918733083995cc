import type { FollowOnTopic } from '@lib/domain/job/recorded-report';
import { withPlainBrackets } from './claim-text';
import { partOf } from './follow-on';
import { inertText } from './markdown-text';
import { section } from './wording';

/** Suggested next questions with their reasons. The job's question is left out, since the reader knows it. */
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
