import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

import { scopeOf } from '../access/route-scopes';
import { ProblemView } from './problem.view';
import { PROBLEMS } from './problems';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Says of every route which scope it needs, and how a key without it is refused. */
export function addScopes(document: OpenAPIObject): void {
  const { title, status } = PROBLEMS.insufficient_scope;
  document.components = {
    ...document.components,
    responses: {
      ...document.components?.responses,
      Forbidden: {
        description: `${title} (\`insufficient_scope\`).`,
        headers: { 'WWW-Authenticate': { description: 'Names the scope that is needed.', schema: { type: 'string' } } },
        content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemView) } } },
      },
    },
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      const scope = operation && scopeOf(method.toUpperCase(), path);
      if (!operation || !scope) continue;
      operation.description = `${operation.description ?? ''} Needs the scope \`${scope}\`.`.trim();
      operation.responses[status] ??= { $ref: '#/components/responses/Forbidden' };
    }
  }
}
