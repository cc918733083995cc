import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

const VERSION = '1.0.0';
const DESCRIPTION = `Answers a research question with several independent providers at once, and says what they agree on, what they dispute and
what it cost.

Create a thread to start a research job, then poll the job until its status is final: \`completed\`, \`failed\` or \`cancelled\`. Wait 5
seconds before the first poll and 1.5 times as long after each, at most 30 seconds. Errors are problem details (RFC 9457) with a
stable \`code\`. Lists of values may grow within this version: accept values that you do not know.`;

/** The contract of the running application, as OpenAPI 3.0.3: many generators do not read 3.1. Complete only from `dist`. */
export function documentOf(app: INestApplication, basePath: string): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Research Threads')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .addServer(basePath || '/', 'This service')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key: `rt_live_…`' }, 'bearerAuth')
    .addTag('account', 'Who asks, whom they can ask, and what they have spent.')
    .addTag('claims', 'What completed jobs claim, and the evidence for it.')
    .addTag('health', 'Probes; they need no key and stand outside the base path.')
    .addTag('jobs', 'Research jobs: progress, results and history.')
    .addTag('threads', 'Conversations of messages and research jobs.');
  const document = SwaggerModule.createDocument(app, builder.build(), { ignoreGlobalPrefix: true });
  for (const [path, item] of Object.entries(document.paths)) if (path.startsWith('/health/')) item.servers = [{ url: '/' }];
  return document;
}
