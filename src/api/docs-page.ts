import { readFileSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';

import { asUnchanging } from './compression';

/** Nothing that the page needs comes from another host, and no script from the page's own text. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Addresses are relative, so that the page works behind any path prefix of a proxy. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Research Threads: API reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`;

/** Requests made from the page go to where the page came from. The page's validator is off, because it is on another host. */
const PAGE_SCRIPT = `'use strict';
fetch('openapi.json').then((response) => response.json()).then((spec) => {
  for (const server of spec.servers) server.variables.origin.default = location.origin;
  SwaggerUIBundle({ spec, dom_id: '#reference', deepLinking: true, validatorUrl: null });
});
`;

const FILES = [
  { name: 'swagger-ui.css', type: 'text/css; charset=utf-8' },
  { name: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' },
];

/**
 * A page for people that shows the contract, from our own files alone. They are read at the first request, and are the same bytes ever after, as the
 * contract is.
 * @param places where it stands, each beside the contract
 */
export function serveDocsPage(fastify: FastifyInstance, places: readonly string[]): void {
  const files = FILES.map(({ name, type }) => {
    const file = require.resolve(`swagger-ui-dist/${name}`);
    let content: Buffer | undefined;
    return { name, type, read: () => (content ??= asUnchanging(readFileSync(file))) };
  });
  const open = { config: { public: true } };
  for (const place of places) {
    fastify.get(`${place}/docs`, open, async (_, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', CONTENT_SECURITY_POLICY).send(PAGE),
    );
    fastify.get(`${place}/docs/page.js`, open, async (_, reply) => reply.type('text/javascript; charset=utf-8').send(PAGE_SCRIPT));
    for (const { name, type, read } of files)
      fastify.get(`${place}/docs/${name}`, open, async (_, reply) =>
        reply.type(type).header('cache-control', 'public, max-age=3600').send(read()),
      );
  }
}
