import { readSecret } from './secrets';
import { printable, type SettingsProblem } from './settings-error';

export interface TraceSampling {
  /** Share of the traces that is exported, from 0 to 1. */
  ratio: number;
  /** Whether a caller's `traceparent` decides if the trace of its request is exported. */
  followsCaller: boolean;
}

/** Where spans are sent, under the names of OpenTelemetry. */
export interface TraceSettings {
  /** The URL that takes traces by OTLP over HTTP. */
  url: string;
  /** Sent with each export. Secret. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  sampling: TraceSampling;
}

const [ENDPOINT, HEADERS, PROTOCOL] = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const;
const [SERVICE_NAME, SAMPLER, RATIO] = ['OTEL_SERVICE_NAME', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'] as const;

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);
/** Allowed names of an HTTP header, and values that can be sent in one. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const HEADER_VALUE = /^[\x20-\x7e]{1,8000}$/;

/**
 * @param problems those that are found are added
 * @returns null if no endpoint is set: nothing is traced, but the other settings are still checked
 */
export function readTraceSettings(environment: NodeJS.ProcessEnv, problems: SettingsProblem[]): TraceSettings | null {
  const given = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const refuse = (name: string, remedy: string): void => void problems.push({ name, value: printable(given(name) ?? ''), remedy });
  const headers = readHeaders(readSecret(HEADERS, environment, problems), problems);
  const endpoint = given(ENDPOINT);
  const url = endpoint === undefined ? undefined : urlOf(endpoint);
  if (url === null)
    refuse(ENDPOINT, 'must be an address such as http://collector:4318, without a query; a password goes into OTEL_EXPORTER_OTLP_HEADERS');
  if (![undefined, 'http/json'].includes(given(PROTOCOL)))
    refuse(PROTOCOL, 'must be http/json, which a collector takes on the port of OTLP over HTTP (4318)');
  const serviceName = given(SERVICE_NAME) ?? 'research-threads';
  if (!/^[\x21-\x7e]{1,100}$/.test(serviceName)) refuse(SERVICE_NAME, 'must be at most 100 printable characters without spaces');
  const sampler = given(SAMPLER) ?? 'parentbased_traceidratio';
  if (!SAMPLERS.includes(sampler)) refuse(SAMPLER, `must be one of ${SAMPLERS.join(', ')}`);
  const ratio = given(RATIO) ?? '1';
  if (!/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(ratio)) refuse(RATIO, 'must be from 0 to 1, such as 0.05');
  const fixed = sampler.endsWith('always_on') ? 1 : sampler.endsWith('always_off') ? 0 : null;
  if (url === undefined) return null;
  return {
    url: url ?? '',
    headers,
    serviceName,
    sampling: { ratio: fixed ?? Number(ratio), followsCaller: sampler.startsWith('parentbased_') },
  };
}

function urlOf(endpoint: string): string | null {
  const url = URL.parse(endpoint);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username || url.password) return null;
  return `${url.href.replace(/\/+$/, '')}/v1/traces`;
}

/** `name=value` separated by commas, values encoded as in a URL. */
function readHeaders(text: string | undefined, problems: SettingsProblem[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of text?.split(',') ?? []) {
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    if (at > 0 && HEADER_NAME.test(name) && value !== null && HEADER_VALUE.test(value)) headers[name] = value;
    else {
      problems.push({ name: HEADERS, value: null, remedy: 'must be name=value, several separated by commas, values encoded as in a URL' });
      return {};
    }
  }
  return headers;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
