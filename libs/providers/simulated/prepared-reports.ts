import { chance, pick } from './chance';
import type { SimulatedOptions } from './options';

/** A report without the charge, which depends on the run. */
export interface PreparedReport {
  markdown: string;
  sources: PreparedSource[];
}

export interface PreparedSource {
  index: number;
  url: string;
  title: string;
  startIndex: number;
  endIndex: number;
}

type Shape = Pick<SimulatedOptions, 'seed' | 'reportBytes' | 'citations'>;

/** Reports on one topic mostly agree; some state another number. */
const TOPICS = 8;
const REPORTS_PER_TOPIC = 4;
/** Limit for all prepared reports together. */
const PREPARED_BYTES = 16 * 1024 * 1024;
const DISSENT = 0.08;
const OWN_SOURCE = 0.6;

const SUBJECTS = ['reactor', 'harbour', 'archive', 'glacier', 'railway', 'orchard', 'telescope', 'aqueduct'] as const;
const VERBS = ['served', 'stored', 'measured', 'moved', 'supplied', 'recorded'] as const;
const UNITS = ['households', 'tonnes of freight', 'litres of water', 'observations', 'visitors', 'kilowatt hours'] as const;
const PLACES = ['the northern district', 'the old town', 'the coastal valley', 'the upper basin', 'the research campus'] as const;

/** The raw responses of a simulated provider, made on first use and kept, so that a run takes hardly any CPU. */
export class PreparedReports {
  private readonly prepared = new Map<number, string>();
  private readonly variants: number;

  constructor(private readonly shape: Shape) {
    this.variants = Math.max(1, Math.min(TOPICS * REPORTS_PER_TOPIC, Math.floor(PREPARED_BYTES / Math.max(1, shape.reportBytes))));
  }

  /** The report's JSON for a question, as one of its providers would write it. */
  for(query: string, provider: string): string {
    const topic = Math.floor(chance(this.shape.seed, query) * TOPICS);
    const variant = (topic * REPORTS_PER_TOPIC + Math.floor(chance(this.shape.seed, provider) * REPORTS_PER_TOPIC)) % this.variants;
    const known = this.prepared.get(variant);
    if (known !== undefined) return known;
    const made = JSON.stringify(writeReport(this.shape, Math.floor(variant / REPORTS_PER_TOPIC), variant % REPORTS_PER_TOPIC));
    this.prepared.set(variant, made);
    return made;
  }
}

function writeReport({ seed, reportBytes, citations }: Shape, topic: number, author: number): PreparedReport {
  const subject = pick(SUBJECTS, seed, topic);
  const parts = [`# The ${subject}\n`];
  const sources: PreparedSource[] = [];
  let length = parts.join('').length;
  for (let number = 1; length < reportBytes || sources.length < citations || number === 1; number += 1) {
    const lead = number % 5 === 1 ? '\n' : ' ';
    const mark = citations > 0 ? ` [${((number - 1) % citations) + 1}]` : '';
    const told = { seed, topic, number, author };
    const sentence = `${statement(told, subject)}${mark}.`;
    if (number <= citations) sources.push(source(told, length + lead.length, sentence.length));
    parts.push(lead, sentence, number % 5 === 0 ? '\n' : '');
    length += lead.length + sentence.length + (number % 5 === 0 ? 1 : 0);
  }
  return { markdown: parts.join(''), sources };
}

/** Identifies a sentence: the report's topic and author, and the sentence's number in it. */
interface Told {
  seed: number;
  topic: number;
  number: number;
  author: number;
}

function statement({ seed, topic, number, author }: Told, subject: string): string {
  const fact = (what: string): [number, number, number, string] => [seed, topic, number, what];
  const year = 1950 + Math.floor(chance(...fact('year')) * 70);
  const dissent = chance(...fact(`dissent ${author}`)) < DISSENT ? 1.4 : 1;
  const amount = Math.round((1000 + Math.floor(chance(...fact('amount')) * 90_000)) * dissent);
  const [verb, unit, place] = [pick(VERBS, ...fact('verb')), pick(UNITS, ...fact('unit')), pick(PLACES, ...fact('place'))];
  return `In ${year} the ${subject} of ${place} ${verb} ${amount.toLocaleString('en-US')} ${unit}`;
}

function source({ seed, topic, number, author }: Told, start: number, length: number): PreparedSource {
  const own = chance(seed, topic, number, author, 'source') < OWN_SOURCE;
  const host = own ? `archive-${author + 1}.example` : 'statistics.example';
  return {
    index: number,
    url: `https://${host}/${topic}/${number}`,
    title: `Record ${topic}-${number}`,
    startIndex: start,
    endIndex: start + length,
  };
}
