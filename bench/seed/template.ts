import type { Pool } from 'pg';
import type { EventMeta } from '@lib/domain/event';
import { ID_KINDS, type IdKind } from '@lib/domain/ids';
import { newId } from '@lib/store/new-id';
import { eventPlace, unseal } from '@lib/store/sealing/seal';
import type { ThreadKeys } from '@lib/store/sealing/thread-keys';

/** What an event says, without what its place in a chain adds. */
export interface Told {
  id: string;
  streamId: string;
  version: number;
  type: string;
  facts: object;
  meta: EventMeta;
}

export interface Content {
  text: string;
  object: object;
}

const VARIABLE = new RegExp(`(?:${ID_KINDS.join('|')})_[0-9a-z]{26}|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z`, 'g');

/** A text cut at each id and time, to be put together with others. */
class CutText {
  private readonly pieces: string[];
  /** What stood after each piece but the last. */
  readonly variables: readonly string[];

  constructor(text: string) {
    this.pieces = text.split(VARIABLE);
    this.variables = text.match(VARIABLE) ?? [];
  }

  filled(replace: (variable: string) => string): string {
    let text = this.pieces[0] ?? '';
    for (const [place, variable] of this.variables.entries()) text += replace(variable) + (this.pieces[place + 1] ?? '');
    return text;
  }
}

/** The histories of one thread and its job as the service wrote them, to be told again with other ids at another time. */
export class Template {
  private readonly events: CutText;
  private readonly ids: string[];
  /** Only of content that names an id; the other serves all copies as it is. */
  private readonly naming: (CutText | null)[];

  constructor(
    events: readonly Told[],
    private readonly contents: readonly (Content | null)[],
  ) {
    this.events = new CutText(JSON.stringify(events));
    this.ids = [...new Set(this.events.variables.filter((variable) => variable.includes('_')))];
    this.naming = contents.map((content) => (content && content.text.search(VARIABLE) !== -1 ? new CutText(content.text) : null));
  }

  /** The same events under new ids, each `shiftMs` later, with their content. */
  copy(shiftMs: number): { events: Told[]; contents: (Content | null)[] } {
    const renamed = new Map(this.ids.map((id) => [id, newId(id.slice(0, 3) as IdKind)]));
    const later = (time: string) => new Date(Date.parse(time) + shiftMs).toISOString();
    const events = this.events.filled((variable) => renamed.get(variable) ?? later(variable));
    const contents = this.contents.map((content, place): Content | null => {
      const text = this.naming[place]?.filled((variable) => renamed.get(variable) ?? variable);
      return text === undefined ? content : { text, object: JSON.parse(text) as object };
    });
    return { events: JSON.parse(events) as Told[], contents };
  }
}

interface Row extends Omit<Told, 'streamId'> {
  stream_id: string;
  sealed: Buffer | null;
}

const READ = `select event_id as id, stream_id, version, type, facts, meta, sealed from event
  where stream_id in ($1, $2) order by stream_id = $2, version`;

/** Reads what the service wrote for a thread and the one job in it: the thread's events, then the job's. */
export async function readTemplate(pool: Pool, keys: ThreadKeys, threadId: string, jobId: string): Promise<Template> {
  const { rows } = await pool.query<Row>(READ, [threadId, jobId]);
  const key = (await keys.read([threadId])).get(threadId);
  if (!key) throw new Error(`the thread ${threadId} has no key`);
  const contents = rows.map(({ stream_id, version, type, sealed }): Content | null => {
    if (!sealed) return null;
    const text = unseal(key, eventPlace(stream_id, version, type), sealed);
    return { text, object: JSON.parse(text) as object };
  });
  const events = rows.map(({ id, stream_id, version, type, facts, meta }) => ({ id, streamId: stream_id, version, type, facts, meta }));
  return new Template(events, contents);
}
