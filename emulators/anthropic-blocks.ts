import { createHash } from 'node:crypto';

import type { WrittenCitation } from './findings';
import type { Run } from './run';
import type { Body } from './wire';

/** A content block of a stream. */
export interface StreamedBlock {
  start: Body;
  deltas: Body[];
}

/** The blocks of a turn: the search in the first, the report in the last. */
export function blocksOf(run: Run, pauses: boolean): StreamedBlock[] {
  const search = run.continuations > 0 || run.usage.searches === 0 ? [] : searchBlocks(run);
  const report = pauses || run.refusal !== null ? [] : reportBlocks(run);
  return [...search, ...report];
}

/**
 * The run that these blocks continue.
 * @throws Error if they differ from what was sent
 */
export function continuedRun(content: unknown): string {
  const blocks = Array.isArray(content) ? (content as Body[]) : [];
  const [, runId, digest] = /^(.+)\.([0-9a-f]{64})$/.exec(String(blocks[0]?.signature)) ?? [];
  if (runId === undefined || digest !== digestOf(blocks.slice(1))) {
    throw new Error('messages.1.content: the blocks of a paused answer must go back as they came');
  }
  return runId;
}

function searchBlocks(run: Run): StreamedBlock[] {
  const blocks: StreamedBlock[] = [
    textBlock('I look for sources first.', []),
    {
      start: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      deltas: [
        { type: 'input_json_delta', partial_json: '{"query":' },
        { type: 'input_json_delta', partial_json: ' "emulated"}' },
      ],
    },
    result('srvtoolu_1', resultsOf(run)),
    // The model requests one search more than it is allowed.
    { start: { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_search', input: { query: 'one more' } }, deltas: [] },
    result('srvtoolu_2', { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }),
  ];
  const thinking: StreamedBlock = {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      { type: 'thinking_delta', thinking: 'What is known about this?' },
      { type: 'signature_delta', signature: `${run.id}.${digestOf(blocks.map(whole))}` },
    ],
  };
  return [thinking, ...blocks];
}

function resultsOf(run: Run): object[] {
  const { citations } = run.written(() => '');
  return citations.map(({ source: { url, title } }) => {
    return { type: 'web_search_result', url, title, page_age: 'April 30, 2025', encrypted_content: 'ZW11bGF0ZWQ=' };
  });
}

function result(id: string, content: unknown): StreamedBlock {
  return { start: { type: 'web_search_tool_result', tool_use_id: id, content }, deltas: [] };
}

/** Splits a text into blocks as Claude does: each part with a source is a block of its own. */
function reportBlocks(run: Run): StreamedBlock[] {
  const { text, citations } = run.written(() => '');
  const blocks: StreamedBlock[] = [];
  let done = 0;
  for (const citation of citations) {
    const { start, end } = citation.statement;
    if (start < done || end > text.length) {
      blocks.push(textBlock('', [citation]));
      continue;
    }
    if (start > done) blocks.push(textBlock(text.slice(done, start), []));
    blocks.push(textBlock(text.slice(start, end), [citation]));
    done = end;
  }
  return text.length > done ? [...blocks, textBlock(text.slice(done), [])] : blocks;
}

function textBlock(text: string, citations: readonly WrittenCitation[]): StreamedBlock {
  const half = Math.floor(text.length / 2);
  const pieces = [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '');
  const cited = citations.map(({ source: { url, title, snippet } }) => ({
    type: 'citations_delta',
    citation: { type: 'web_search_result_location', url, title, cited_text: snippet, encrypted_index: 'ZW11bGF0ZWQ=' },
  }));
  return { start: { type: 'text', text: '' }, deltas: [...cited, ...pieces.map((piece) => ({ type: 'text_delta', text: piece }))] };
}

/** A block without citations, as a client reassembles it. */
function whole({ start, deltas }: StreamedBlock): Body {
  const joined = (name: string): string => deltas.flatMap(({ [name]: piece }) => (typeof piece === 'string' ? piece : [])).join('');
  const input = joined('partial_json');
  return { ...start, ...(start.type === 'text' && { text: joined('text') }), ...(input !== '' && { input: JSON.parse(input) as unknown }) };
}

function digestOf(blocks: readonly Body[]): string {
  return createHash('sha256').update(JSON.stringify(blocks)).digest('hex');
}
