import type { FastifyRequest } from 'fastify';

import type { AuditRead } from '@lib/store/log/read-trail';

export type RecordRead = (request: FastifyRequest) => Promise<void>;

/** What names somebody or something, and nothing that people wrote. */
const ID = /^[a-z]{3}_[\w.-]{1,64}$/;
const NAMING = ['jobId', 'threadId', 'streamId'];

/** Records each request to a route for auditors before it is answered: one that cannot be recorded is not answered. */
export const recordReads =
  (record: (read: AuditRead) => Promise<void>, basePath: string): RecordRead =>
  async ({ caller, routeOptions, params, query }) => {
    if (!caller || routeOptions.config.scope !== 'audit:read') return;
    const given = { ...(query as Record<string, unknown>), ...(params as Record<string, unknown>) };
    const resource = NAMING.map((name) => given[name]).find((value) => typeof value === 'string' && ID.test(value));
    const route = (routeOptions.url ?? '').slice(basePath.length).replaceAll(/:(\w+)/g, '{$1}');
    await record({
      ...{ tenantId: caller.tenantId, keyId: caller.keyId, route, resource: (resource as string | undefined) ?? null },
      ...{ requestId: caller.correlationId, address: caller.address ?? null },
    });
  };
