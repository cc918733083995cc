import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Scope } from '@lib/domain/scopes';
import { Problem } from '../api/problems';
import { scopeOf } from './route-scopes';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key needs for this route; null: nothing. */
    scope?: Scope | null;
  }
}

/**
 * Gives every route that needs a key its scope, while the routes are registered.
 * @throws Error for a route whose scope is not decided
 */
export function decideScopes(fastify: FastifyInstance, basePath: string): void {
  fastify.addHook('onRoute', (route) => {
    if (route.config?.public) return;
    const path = route.url.slice(basePath.length);
    const scopes = [route.method].flat().map((method) => {
      const scope = scopeOf(method, path);
      if (scope === undefined) throw new Error(`nobody has decided which scope ${method} ${path} needs: say so in route-scopes.ts`);
      return scope;
    });
    route.config = { ...route.config, scope: scopes[0] ?? null };
  });
}

/** @throws Problem insufficient_scope */
export function requireScope({ caller, routeOptions }: FastifyRequest): void {
  const { scope } = routeOptions.config;
  if (!caller || scope === undefined || scope === null || caller.scopes.includes(scope)) return;
  throw insufficientScope(scope, `this one has ${caller.scopes.join(', ') || 'none'}`);
}

export function insufficientScope(scope: Scope, has: string): Problem {
  return new Problem('insufficient_scope', `This needs a key with the scope ${scope}; ${has}.`, [], {
    'www-authenticate': `Bearer realm="research-threads", error="insufficient_scope", scope="${scope}"`,
  });
}
