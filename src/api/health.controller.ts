import { Controller, Get } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';

import { ApiProblems } from './api-problems';
import { Readiness } from './health';
import { HealthView } from './health.view';
import { Problem } from './problems';

/** Outside the base path, since probes know the process and not its public address. */
export const HEALTH_PATHS = ['health/live', 'health/ready'];

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

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
    description:
      'Checks everything that the process needs. The problem names each check that failed. An api that was ready stays so while what it needs fails for every other api as well: its answer then lists fewer checks.',
  })
  @ApiOkResponse({ type: HealthView, description: 'Every check passed.' })
  @ApiProblems('invalid_request', 'unavailable')
  async ready(): Promise<HealthView> {
    const { isReady, passing, failing } = await this.readiness.ask();
    if (!isReady) throw notReady(failing);
    return { status: 'ok', checks: passing };
  }
}

/** Says what fails and not why, since the route needs no key: the log says that. */
function notReady(failing: readonly string[]): Problem {
  const violations = failing.map((name) => ({ pointer: `/${name}`, code: 'down', message: `The check of ${name} failed.` }));
  return new Problem('unavailable', `Not ready: ${failing.join(', ')}.`, violations, { 'retry-after': '5' });
}
