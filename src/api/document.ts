import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

import { applyDocumentRules } from './document-rules';
import { addEdgeHeaders } from './edge-headers';
import { addScopes } from './scope-documents';
import { addTransportProblems } from './transport-problems';

const VERSION = '1.0.0';
/** As package.json says. */
const LICENSE = { name: 'Unlicensed: all rights reserved' };
const DESCRIPTION = `Answers a research question with several independent providers at once, and says what they agree on, what they dispute and
what it cost.

Create a thread to start a research job, then poll the job until its status is final: \`completed\`, \`failed\` or \`cancelled\`. Wait 5
seconds before the first poll and 1.5 times as long after each, at most 30 seconds. Errors are problem details (RFC 9457) with a
stable \`code\`. Lists of values may grow within this version: accept values that you do not know.`;

const KEY_DESCRIPTION = `An API key. It has scopes, of which none includes another, and each operation names the one that it needs:
\`threads:read\` reads threads, jobs, claims, usage and the balance; \`threads:write\` creates threads, which starts their first job, adds messages
and deletes threads; \`jobs:write\` pursues topics and cancels jobs; \`webhooks:write\` sees and changes webhooks; \`audit:read\` reads what auditors
need; \`admin\` manages keys. \`GET /v1/me\` says what a key has.`;

const ORIGIN = '{origin}';
const SERVER_VARIABLES = {
  origin: { default: 'http://localhost:3000', description: 'Scheme, host and port under which the service is reached.' },
};

/** 3.0.3 comes first, since many generators of clients do not read 3.1. */
export type OpenApiVersion = '3.0.3' | '3.1.0';

/** The contract of the running application. Complete only from `dist`. */
export function documentOf(app: INestApplication, basePath: string, openApiVersion: OpenApiVersion = '3.0.3'): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion(openApiVersion)
    .setTitle('Research Threads')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .addServer(`${ORIGIN}${basePath}`, 'This service', SERVER_VARIABLES)
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'rt_live_<key id>_<secret>', description: KEY_DESCRIPTION },
      'bearerAuth',
    )
    .addSecurityRequirements('bearerAuth')
    .addTag('account', 'Who asks, whom they can ask, and what they have spent.')
    .addTag('audit', 'The signed log of all events, and proofs of what is in it.')
    .addTag('claims', 'What completed jobs claim, and the evidence for it.')
    .addTag('health', 'Probes; they need no key and stand outside the base path.')
    .addTag('jobs', 'Research jobs: progress, results and history.')
    .addTag('threads', 'Conversations of messages and research jobs.')
    .addTag('webhooks', 'Addresses that are told when a job ends or a thread is deleted, by Standard Webhooks.')
    .build();
  base.info.license = LICENSE;
  delete base.info.contact;
  const document = SwaggerModule.createDocument(app, base, { ignoreGlobalPrefix: true });
  if (basePath) leaveBasePath(document);
  addTransportProblems(document);
  addScopes(document);
  addEdgeHeaders(document);
  return applyDocumentRules(document);
}

/** Only with a base path, since generated clients take a server of a path for one that the caller cannot change. */
function leaveBasePath({ paths }: OpenAPIObject): void {
  for (const [path, item] of Object.entries(paths))
    if (path.startsWith('/health/')) item.servers = [{ url: ORIGIN, variables: SERVER_VARIABLES }];
}
