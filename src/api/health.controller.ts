import { Controller, Get, Inject, ServiceUnavailableException } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, type HealthCheckResult } from '@nestjs/terminus';

import { ApiProblems } from './api-problems';
import { HEALTH_CHECKS, type HealthCheck } from './health';
import { HealthView } from './health.view';
import { Problem } from './problems';

/** Outside the base path, since probes know the process and not its public address. */
export const HEALTH_PATHS = ['health/live', 'health/ready'];
const CHECK_TIMEOUT_MS = 2000;

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(HEALTH_CHECKS) private readonly checks: HealthCheck[],
  ) {}

  @Get('live')
  @RouteConfig({ public: true })
  @ApiOperation({
    operationId: 'getLiveness',
    security: [],
    summary: 'Whether the process runs',
    description: 'Checks nothing else: a process that lost its database must not be restarted for it.',
  })
  @ApiOkResponse({ type: HealthView, description: 'The process runs.' })
  @ApiProblems('invalid_request')
  live(): HealthView {
    return { status: 'ok', checks: [] };
  }

  @Get('ready')
  @RouteConfig({ public: true })
  @ApiOperation({
    operationId: 'getReadiness',
    security: [],
    summary: 'Whether the process can serve',
    description: 'Checks everything that the process needs. The problem names each check that failed.',
  })
  @ApiOkResponse({ type: HealthView, description: 'Every check passed.' })
  @ApiProblems('invalid_request', 'unavailable')
  async ready(): Promise<HealthView> {
    try {
      await this.health.check(
        this.checks.map(({ name, check }) => this.indicators.check(name).attempt(check).withTimeout(CHECK_TIMEOUT_MS)),
      );
    } catch (error) {
      throw error instanceof ServiceUnavailableException ? notReady(error.getResponse() as HealthCheckResult) : error;
    }
    return { status: 'ok', checks: this.checks.map(({ name }) => name) };
  }
}

/** Logs why a check failed instead of returning it, since the route needs no key. */
function notReady({ status, error }: HealthCheckResult): Problem {
  const failed = Object.keys(error ?? {});
  const detail = status === 'shutting_down' ? 'The process is shutting down.' : `Not ready: ${failed.join(', ')}.`;
  const violations = failed.map((name) => ({ pointer: `/${name}`, code: 'down', message: `The check of ${name} failed.` }));
  return new Problem('unavailable', detail, violations, { 'retry-after': '5' });
}
