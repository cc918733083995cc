import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface NameServer {
  /** As a resolver is given it. */
  address: string;
  /** How often an A record of a name was asked for. */
  asked: Map<string, number>;
  /** From now on gives this answer, by default that it cannot say, also where it has said nothing. */
  speak(answer?: string[]): void;
  close(): void;
}

const A = 1;
const AAAA = 28;
const HEADER_BYTES = 12;
const NAME_ERROR = 3;
/** In place of addresses: the server cannot say. */
export const SERVER_FAILURE = 2;
/** The server says nothing at all. */
export const SILENCE = 'silence';

type Answer = string[] | typeof SERVER_FAILURE | null;

interface Answered {
  query: Buffer;
  type: number;
  /** Where its question ends. */
  end: number;
  answer: Answer;
}

/**
 * A name server on this machine, for names that point wherever the test says.
 * @param addressesOf for the n-th question after a name, from 1, and a family; null for one that does not exist
 */
export async function startNameServer(
  addressesOf: (name: string, question: number, family: 4 | 6) => Answer | typeof SILENCE,
): Promise<NameServer> {
  const asked = new Map<string, number>();
  const unanswered: ((answer: Answer) => void)[] = [];
  let spoken: Answer | undefined;
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const { name, type, end } = questionOf(query);
    if (type === A) asked.set(name, (asked.get(name) ?? 0) + 1);
    const answer = spoken ?? addressesOf(name, asked.get(name) ?? 1, type === A ? 4 : 6);
    const send = (given: Answer) => sendAnswer({ query, type, end, answer: given }, peer);
    if (answer === SILENCE) unanswered.push(send);
    else send(answer);
  });
  const sendAnswer = ({ query, type, end, answer }: Answered, { port, address }: RemoteInfo): void => {
    const records = (Array.isArray(answer) ? answer : []).filter((one) => isIPv4(one) === (type === A)).map((one) => recordOf(one, type));
    const head = Buffer.from(query.subarray(0, HEADER_BYTES));
    head.writeUInt16BE(0x8180 | (Array.isArray(answer) ? 0 : (answer ?? NAME_ERROR)), 2);
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8);
    socket.send(Buffer.concat([head, query.subarray(HEADER_BYTES, end), ...records]), port, address);
  };
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const speak = (answer: Answer = SERVER_FAILURE): void => {
    spoken = answer;
    for (const send of unanswered.splice(0)) send(answer);
  };
  return { address: `127.0.0.1:${socket.address().port}`, asked, speak, close: () => void socket.close() };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Its name is a pointer to the question's, and it may not be kept. */
function recordOf(address: string, type: number): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, type === A ? A : AAAA, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}
