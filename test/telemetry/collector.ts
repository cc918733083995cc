import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A span as it was exported. */
export interface ExportedSpan {
  name: string;
  traceId: string;
  spanId: string;
  /** Empty where there is none. */
  parentSpanId: string;
  /** The role of the process that exported it. */
  roles: string;
  links: { traceId: string; spanId: string }[];
  attributes: Record<string, unknown>;
  /** 2: it failed. */
  status: number;
  took: number;
}

interface OtlpValue {
  stringValue?: string;
  intValue?: string | number;
  boolValue?: boolean;
  doubleValue?: number;
}
type OtlpAttributes = { key: string; value: OtlpValue }[];

/** What of OTLP/JSON is looked at. */
interface Exported {
  resourceSpans: {
    resource: { attributes: OtlpAttributes };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        attributes: OtlpAttributes;
        links?: { traceId: string; spanId: string }[];
        status: { code?: number };
        startTimeUnixNano: string;
        endTimeUnixNano: string;
      }[];
    }[];
  }[];
}

/** Takes traces by OTLP over HTTP, as JSON. */
export class Collector {
  readonly spans: ExportedSpan[] = [];
  /** Everything that came, as it came. */
  readonly bodies: string[] = [];
  readonly headers: Record<string, unknown>[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(status = 200): Promise<Collector> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        if (status === 200) collector.take(request.url ?? '', request.headers, body);
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const collector = new Collector(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return collector;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private take(path: string, headers: Record<string, unknown>, body: string): void {
    if (path !== '/v1/traces') throw new Error(`${path} is not where traces are taken`);
    this.bodies.push(body);
    this.headers.push(headers);
    for (const { resource, scopeSpans } of (JSON.parse(body) as Exported).resourceSpans) {
      const roles = String(valuesOf(resource.attributes)['research.roles']);
      for (const { attributes, links = [], parentSpanId = '', status, startTimeUnixNano, endTimeUnixNano, ...span } of scopeSpans.flatMap(
        ({ spans }) => spans,
      ))
        this.spans.push({
          ...{ name: span.name, traceId: span.traceId, spanId: span.spanId, parentSpanId, roles, attributes: valuesOf(attributes) },
          links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
          status: status.code ?? 0,
          took: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
        });
    }
  }
}

const valuesOf = (attributes: OtlpAttributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
