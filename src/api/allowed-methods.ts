import type { FastifyInstance } from 'fastify';

/** The methods of an address; empty if there is none. */
export type AllowedMethods = (url: string) => string[];

/**
 * Collects the routes while they are registered, since Fastify answers 404 for a known address with another method and cannot list the
 * methods.
 */
export function recordAllowedMethods(fastify: FastifyInstance): AllowedMethods {
  const routes: { segments: string[]; method: string | string[] }[] = [];
  fastify.addHook('onRoute', ({ url, method }) => void routes.push({ segments: url.split('/'), method }));
  return (url) => {
    const [path = ''] = url.split('?', 1);
    const found = routes.filter(({ segments }) => matches(segments, path.split('/'))).flatMap(({ method }) => method);
    return [...new Set(found)];
  };
}

function matches(route: string[], path: string[]): boolean {
  return (
    route.length === path.length &&
    route.every((segment, index) => segment === path[index] || (segment.startsWith(':') && path[index] !== ''))
  );
}
