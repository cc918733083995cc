import { STATUS_CODES } from 'node:http';

import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

import { ProblemView } from './problem.view';
import { PROBLEMS, type ProblemCode } from './problems';

/** What any request may be answered with before its route has seen it. */
const TRANSPORT: readonly ProblemCode[] = ['method_not_allowed', 'request_timeout', 'expectation_failed', 'headers_too_large'];

/** Documents these once, and refers to them from every route with a key. */
export function addTransportProblems(document: OpenAPIObject): void {
  const responses = TRANSPORT.map((code) => ({ code, name: nameOf(code), ...PROBLEMS[code] }));
  document.components = {
    ...document.components,
    responses: Object.fromEntries(
      responses.map(({ code, name, title }) => [
        name,
        {
          description: `${title} (\`${code}\`).`,
          ...(code === 'method_not_allowed' && { headers: ALLOW }),
          content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemView) } } },
        },
      ]),
    ),
  };
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/v1/')) continue;
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete])
      for (const { status, name } of responses) if (operation) operation.responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
}

const ALLOW = { Allow: { description: 'The methods that are allowed.', schema: { type: 'string' as const } } };

/** `MethodNotAllowed` and so on. */
const nameOf = (code: ProblemCode): string => (STATUS_CODES[PROBLEMS[code].status] ?? code).replaceAll(' ', '');
