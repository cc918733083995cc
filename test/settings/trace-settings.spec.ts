import { readEnv } from '@lib/settings/read-env';
import { SettingsError } from '@lib/settings/settings-error';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const SECRET = 'hidden-0123456789';

function messageOf(settings: Record<string, string>): string {
  try {
    readEnv({ ...ENDPOINT, ...settings });
    return 'taken';
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message;
  }
}

it('trace nothing without an endpoint', () => {
  expect(readEnv({ OTEL_TRACES_SAMPLER: 'always_on', OTEL_SERVICE_NAME: 'research' }).traces).toBeNull();
});

it.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_SERVICE_NAME', 'a b'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', 'half'],
])('that cannot be used stop a start without an endpoint as well: %s', (name, value) => {
  expect(() => readEnv({ [name]: value })).toThrow(new RegExp(`${name} must be`));
});

it('are read under the names of OpenTelemetry', () => {
  const traces = (settings: Record<string, string>) => readEnv({ ...ENDPOINT, ...settings }).traces;
  expect(traces({})).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: {},
    serviceName: 'research-threads',
    sampling: { ratio: 1, followsCaller: true },
  });
  expect(
    traces({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.org/research/',
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRET}, x-scope=a=b`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'research-staging',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    }),
  ).toEqual({
    url: 'https://otlp.example.org/research/v1/traces',
    headers: { authorization: `Bearer ${SECRET}`, 'x-scope': 'a=b' },
    serviceName: 'research-staging',
    sampling: { ratio: 0.05, followsCaller: false },
  });
  expect(traces({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })?.sampling).toEqual({ ratio: 0, followsCaller: true });
});

it.each<[Record<string, string>, RegExp]>([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    /OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http:\/\/collector:4318.*it is "collector:4318"/,
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://collector' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be an address/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector?key=1' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be an address.*without a query/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `https://user:${SECRET}@collector` }, /it is "https:\/\/…@collector"/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `https://${SECRET}@collector` }, /it is "https:\/\/…@collector"/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `https://user:a/#@${SECRET}@collector` }, /it is "https:\/\/…@collector"/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `https://user:${SECRET} of "mine"@collector` }, /it is "https:\/\/…@collector"/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `user:${SECRET}@collector:4318` }, /it is "…@collector:4318"/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `user:${SECRET}://of@collector` }, /it is "…@collector"/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `https://collector/v1?a=1&api-key=${SECRET}` }, /it is "https:\/\/collector\/v1\?a=…&api-key=…"/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: `https://collector/v1?key=a?${SECRET}` }, /it is "https:\/\/collector\/v1\?key=…"/],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL must be http\/json/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: SECRET }, /OTEL_EXPORTER_OTLP_HEADERS must be name=value/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: `key=%zz${SECRET}` }, /OTEL_EXPORTER_OTLP_HEADERS must be name=value/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: `a b=${SECRET}` }, /OTEL_EXPORTER_OTLP_HEADERS must be name=value/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: `key=${SECRET}%0d%0ainjected: 1` }, /OTEL_EXPORTER_OTLP_HEADERS must be name=value/],
  [{ OTEL_SERVICE_NAME: 'a b' }, /OTEL_SERVICE_NAME must be at most 100 printable characters/],
  [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /OTEL_TRACES_SAMPLER must be one of always_on, parentbased_always_on/],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, /OTEL_TRACES_SAMPLER_ARG must be from 0 to 1/],
  [{ OTEL_TRACES_SAMPLER_ARG: '1e-3' }, /OTEL_TRACES_SAMPLER_ARG must be from 0 to 1/],
])('that cannot be used are named with the remedy, and secrets are not shown: %j', (settings, message) => {
  expect(messageOf(settings)).toMatch(message);
  expect(messageOf(settings)).not.toContain(SECRET);
});
