import type { SourceNumbering } from '../citations';
import { sourceLink } from './markdown-text';
import { counted, section } from './wording';

/** The sources named in the text above, by number; of those that no sentence uses, only the count. */
export function sourcesSection(sources: SourceNumbering): string[] {
  const numbered = sources.numbered();
  const lines = numbered.map(
    ({ number, url, title, providers }) => `- [${String(number)}] ${sourceLink(title, url)} (${providers.join(', ')})`,
  );
  const more = sources.size - numbered.length;
  if (more > 0 && numbered.length > 0)
    lines.push('', `The providers returned ${counted(more, 'more source')}; no sentence above rests on them.`);
  return section('## Sources', lines);
}
