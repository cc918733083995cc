import { Body, Controller, Get, Header, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import type { Store } from '@lib/store/store';
import { EventListView } from '@lib/store/views/event.view';
import { JobPursuedView, JobView } from '@lib/store/views/job.view';
import { OPEN_JOB_SHAPE } from '@lib/store/views/open-job-document';
import { JobTopicsView } from '@lib/store/views/topic.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiChangeProblems, ApiRouteProblems } from '../api/api-problems';
import { BodyPipe } from '../api/body.pipe';
import { setTag } from '../api/conditional';
import { ApiIdempotencyKey } from '../api/idempotency-key';
import { wantsEventStream } from '../live/accept';
import { ApiEventStream, EventStreams } from '../live/event-streams';
import { ApiPreferWait, JOB_HEADERS, sayWhenToComeAgain } from '../live/job-polling';
import { LongPolls } from '../live/long-polls';
import { CancelJob } from './commands/cancel-job';
import { PursueJob } from './commands/pursue-job';
import { FirstAnswers } from './first-answers';
import { setLocation } from '../api/location';
import { GetJob } from './queries/get-job';
import { ListEvents } from './queries/list-events';
import { ListTopics } from './queries/list-topics';
import { Idempotency } from '../api/idempotency';
import { ANSWERED, JOB_CREATED, JOB_ID, THREAD_ID } from '../api/route-documents';
import { STORE } from '../api/tokens';
import { PURSUE_JOB_EXAMPLES } from './thread-documents';
import { PursueJobBody } from './threads.dto';

const tagOf = (version: number): string => `${version}-${OPEN_JOB_SHAPE}`;

/** The jobs of a thread. The key, identifiers and parameter names have been checked before a handler runs. */
@ApiTags('jobs')
@ApiBearerAuth('bearerAuth')
@ApiParam(THREAD_ID)
@ApiParam(JOB_ID)
@Controller('v1/threads/:threadId/jobs/:jobId')
export class JobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly idempotency: Idempotency,
    private readonly firstAnswers: FirstAnswers,
    private readonly longPolls: LongPolls,
    private readonly eventStreams: EventStreams,
    @Inject(STORE) private readonly store: Store,
  ) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({
    operationId: 'getJob',
    summary: 'Get a job',
    description:
      'Returns the job; poll it until its status is final: `completed`, `failed` or `cancelled`. Wait 5 seconds first and 1.5 times ' +
      'as long after each poll, at most 30 seconds. Until the job is final its steps are empty and its results are null.',
  })
  @ApiPreferWait()
  @ApiOkResponse({ type: JobView, description: 'The job.', headers: JOB_HEADERS })
  @ApiRouteProblems('job_not_found')
  async getJob(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Param('jobId') jobId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | null> {
    const read = (known?: number) => this.queries.execute(new GetJob(caller.tenantId, threadId, jobId, known));
    const job = await this.longPolls.answer(reply, caller, { jobId, threadId, tagOf, read });
    setTag(reply, tagOf(job.version));
    sayWhenToComeAgain(reply, job, this.store.now());
    return job.json;
  }

  @Post('pursue')
  @ApiOperation({
    operationId: 'pursueJob',
    summary: 'Pursue a follow-on topic',
    description: 'Starts a new job in the thread on a topic that follows on from the job in the path, whatever its status.',
  })
  @ApiBody({ type: PursueJobBody, examples: PURSUE_JOB_EXAMPLES })
  @ApiCreatedResponse({ type: JobPursuedView, description: 'The new job is pending.', ...JOB_CREATED })
  @ApiIdempotencyKey()
  @ApiChangeProblems(
    'thread_not_found',
    'job_not_found',
    'conflict',
    'budget_too_small',
    'thread_full',
    'insufficient_balance',
    'too_many_open_jobs',
    'daily_limit',
  )
  async pursueJob(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Param('jobId') jobId: string,
    @Body(BodyPipe) body: PursueJobBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JobPursuedView> {
    const job = await this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new PursueJob(caller, threadId, jobId, body, request)),
      again: ({ streamId }) => this.firstAnswers.jobPursued(streamId),
    });
    setLocation(reply, 'threads', threadId, 'jobs', job.id);
    return job;
  }

  @Post('cancel')
  @HttpCode(200)
  @RouteConfig({ takesNoBody: true })
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'Stops the job: nothing more is started, and runs at providers are cancelled. What was paid for stays and is listed. A job that ' +
      'is final already is returned as it is.',
  })
  @ApiOkResponse({ type: JobView, description: 'The job, now final.', ...ANSWERED })
  @ApiIdempotencyKey()
  @ApiChangeProblems('job_not_found', 'conflict')
  cancelJob(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Param('jobId') jobId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new CancelJob(caller, threadId, jobId, request)),
      again: async () => (await this.queries.execute(new GetJob(caller.tenantId, threadId, jobId))).json as Buffer,
    });
  }

  @Get('events')
  @ApiOperation({
    operationId: 'listJobEvents',
    summary: 'List or follow the events of a job',
    description:
      'Returns the recorded history of the job, without what people wrote or providers answered, as a verifiable hash chain. With ' +
      '`Accept: text/event-stream` each event is sent as it happens, until the final one.',
  })
  @ApiEventStream()
  @ApiRouteProblems('job_not_found')
  async listJobEvents(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Param('jobId') jobId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EventListView | undefined> {
    if (wantsEventStream(reply.request.headers.accept)) return this.eventStreams.open(reply, caller, threadId, jobId);
    return this.queries.execute(new ListEvents(caller.tenantId, threadId, jobId));
  }

  @Get('topics')
  @ApiOperation({
    operationId: 'listJobTopics',
    summary: 'List the topics of a job',
    description:
      'Returns the follow-on topics that a job with spidering looked into, as a tree with the steps of each and the reason for stopping, ' +
      'and the topics that the report of a completed job suggests for a pursue.',
  })
  @ApiOkResponse({ type: JobTopicsView, description: 'The topics.' })
  @ApiRouteProblems('job_not_found')
  listJobTopics(
    @AuthenticatedCaller() caller: Caller,
    @Param('threadId') threadId: string,
    @Param('jobId') jobId: string,
  ): Promise<JobTopicsView> {
    return this.queries.execute(new ListTopics(caller.tenantId, threadId, jobId));
  }
}
