import { isJsonObject, type JsonObject } from '@lib/domain/json-object';

import { objectIn, parseObject, textIn } from '../json';
import { ProviderError } from '../research-provider';
import type { ServerSentEvent } from '../server-sent-events';
import { failureFromWords, wordsOf } from '../ended-run';
import type { ContentBlock, Message, MessageEvent, MessageUsage } from './wire';

/** A block that is being streamed: its start, and the pieces since. */
interface OpenBlock {
  started: JsonObject;
  text: string[];
  thinking: string[];
  inputJson: string[];
  signature: string;
  citations: unknown[];
}

/**
 * Reads a streamed message to its end and joins the pieces of each block.
 * @throws ProviderError if the stream reports an error, breaks off or is malformed; its cost until then is unknown
 */
export async function readMessage(events: AsyncIterable<ServerSentEvent>): Promise<Message> {
  const blocks: OpenBlock[] = [];
  let model: string | null = null;
  let usage: MessageUsage = {};
  let stopReason: string | null = null;
  for await (const { data } of events) {
    const event: MessageEvent = parseObject(data);
    const delta = objectIn(event.delta);
    switch (event.type) {
      case 'message_start': {
        const message = objectIn(event.message);
        model = textIn(message.model);
        // Its count of output tokens is a placeholder: without the one of the end, the cost is unknown.
        usage = { ...objectIn(message.usage), output_tokens: null };
        break;
      }
      case 'content_block_start':
        if (event.index !== blocks.length) throw new ProviderError('malformed', 'The blocks of the streamed message are out of order');
        blocks.push(openBlock(objectIn(event.content_block)));
        break;
      case 'content_block_delta': {
        const block = blocks[Number(event.index)];
        if (!block) throw new ProviderError('malformed', 'The streamed message continues a block that it did not start');
        addTo(block, delta);
        break;
      }
      case 'message_delta':
        stopReason = textIn(delta.stop_reason) ?? stopReason;
        usage = { ...usage, ...told(event.usage) };
        break;
      case 'message_stop':
        return { model, content: blocks.map(closeBlock), stop_reason: stopReason, usage };
      case 'error':
        throw failureFromWords(wordsOf(event.error));
      default: // A ping, the end of a block, or something newer.
    }
  }
  throw new ProviderError('unavailable', 'The streamed answer broke off before its end');
}

/** A count that is null here was already given at the start of the message. */
const told = (usage: unknown): MessageUsage => Object.fromEntries(Object.entries(objectIn(usage)).filter(([, count]) => count !== null));

function openBlock(started: JsonObject): OpenBlock {
  return { started, text: [], thinking: [], inputJson: [], signature: '', citations: [] };
}

function addTo(block: OpenBlock, delta: JsonObject): void {
  block.text.push(textIn(delta.text) ?? '');
  block.thinking.push(textIn(delta.thinking) ?? '');
  block.inputJson.push(textIn(delta.partial_json) ?? '');
  block.signature += textIn(delta.signature) ?? '';
  if (isJsonObject(delta.citation)) block.citations.push(delta.citation);
}

function closeBlock({ started, text, thinking, inputJson, signature, citations }: OpenBlock): ContentBlock {
  const input = inputOf(inputJson.join(''));
  const earlier = Array.isArray(started.citations) ? (started.citations as unknown[]) : [];
  return {
    ...started,
    ...(('text' in started || started.type === 'text') && { text: (textIn(started.text) ?? '') + text.join('') }),
    ...('thinking' in started && { thinking: (textIn(started.thinking) ?? '') + thinking.join('') }),
    ...(input && { input }),
    ...(signature !== '' && { signature }),
    ...(citations.length > 0 && { citations: [...earlier, ...citations] }),
  };
}

/** Null for a tool use that was cut off when the tokens ran out: the text before it is still an answer. */
function inputOf(inputJson: string): JsonObject | null {
  try {
    return inputJson === '' ? null : parseObject(inputJson);
  } catch {
    return null;
  }
}
