import type { Scope } from '@lib/domain/scopes';

/**
 * The scope that each route needs, by method and path as the OpenAPI document names them, without the base path; null: any key in force will do. A
 * route that does not stand here keeps the api from starting.
 */
export const ROUTE_SCOPES: Readonly<Record<string, Scope | null>> = {
  'GET /v1/threads': 'threads:read',
  // The first message starts a job.
  'POST /v1/threads': 'threads:write',
  'GET /v1/threads/{threadId}': 'threads:read',
  'DELETE /v1/threads/{threadId}': 'threads:write',
  'GET /v1/threads/{threadId}/messages': 'threads:read',
  'POST /v1/threads/{threadId}/messages': 'threads:write',
  'GET /v1/threads/{threadId}/jobs/{jobId}': 'threads:read',
  'GET /v1/threads/{threadId}/jobs/{jobId}/events': 'threads:read',
  'GET /v1/threads/{threadId}/jobs/{jobId}/topics': 'threads:read',
  'POST /v1/threads/{threadId}/jobs/{jobId}/pursue': 'jobs:write',
  'POST /v1/threads/{threadId}/jobs/{jobId}/cancel': 'jobs:write',
  'GET /v1/jobs': 'threads:read',
  'GET /v1/jobs/{jobId}': 'threads:read',
  'GET /v1/claims': 'threads:read',
  'GET /v1/claims/{claimId}': 'threads:read',
  // A key may always ask what it is, whom it could ask and what that has cost.
  'GET /v1/me': null,
  'GET /v1/providers': null,
  'GET /v1/usage': 'threads:read',
  'GET /v1/balance': 'threads:read',
  // Their URLs and what became of deliveries are for those who set them up.
  'GET /v1/webhooks': 'webhooks:write',
  'POST /v1/webhooks': 'webhooks:write',
  'GET /v1/webhooks/{webhookId}': 'webhooks:write',
  'PATCH /v1/webhooks/{webhookId}': 'webhooks:write',
  'DELETE /v1/webhooks/{webhookId}': 'webhooks:write',
  'POST /v1/webhooks/{webhookId}/rotate-secret': 'webhooks:write',
  'POST /v1/webhooks/{webhookId}/test': 'webhooks:write',
  'GET /v1/webhooks/{webhookId}/deliveries': 'webhooks:write',
  'POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': 'webhooks:write',
  'GET /v1/audit/checkpoint': 'audit:read',
  'GET /v1/audit/deletions/{threadId}': 'audit:read',
  'GET /v1/audit/events': 'audit:read',
  'GET /v1/audit/reads': 'audit:read',
  'GET /v1/audit/proofs/inclusion': 'audit:read',
  'GET /v1/audit/proofs/consistency': 'audit:read',
  'GET /v1/audit/jobs/{jobId}': 'audit:read',
  // Each tool needs the scopes of the requests that it makes with the same key.
  'POST /mcp': null,
};

/** @returns undefined if nobody has decided */
export function scopeOf(method: string, path: string): Scope | null | undefined {
  // What may be read may be asked for its head.
  return ROUTE_SCOPES[`${method === 'HEAD' ? 'GET' : method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`];
}
