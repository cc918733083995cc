import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { DOMAIN_ERROR_CODES } from '@lib/domain/errors';
import { EDGE_PROBLEM_CODES, type ProblemCode, type Violation } from './problems';

/** One invalid part of a request. */
@ApiSchema({ name: 'Violation' })
export class ViolationView implements Violation {
  /** JSON Pointer into the body (empty for the whole body), or `/` and the name of a path or query parameter or of a header field. */
  @ApiProperty({ type: String, example: '/message' })
  pointer!: string;

  /** Stable reason in snake_case. A later version may know more. */
  @ApiProperty({ type: String, example: 'blank' })
  code!: string;

  /** What is wrong and what would be right. */
  @ApiProperty({ type: String, example: 'message must not be blank: send the research query.' })
  message!: string;
}

/** Problem details (RFC 9457). */
@ApiSchema({ name: 'Problem' })
export class ProblemView {
  /** `urn:research-threads:problem:` and the code. */
  @ApiProperty({ type: String, example: 'urn:research-threads:problem:invalid_request' })
  type!: string;

  /** The same for every problem of this code. */
  @ApiProperty({ type: String, example: 'The request is invalid' })
  title!: string;

  /** The HTTP status. */
  @ApiProperty({ type: 'integer', minimum: 400, maximum: 599, example: 400 })
  status!: number;

  /** What happened this time, for a person. */
  @ApiProperty({ type: String, example: 'message must not be blank: send the research query.' })
  detail!: string;

  /** Path of the request. */
  @ApiProperty({ type: String, example: '/v1/threads' })
  instance!: string;

  /** Stable reason to decide by. */
  @ApiProperty({
    enum: [...EDGE_PROBLEM_CODES, ...DOMAIN_ERROR_CODES],
    enumName: 'ProblemCode',
    enumSchema: { description: 'A later version may know more values.' },
    example: 'invalid_request',
  })
  code!: ProblemCode;

  /** Identifies the request in the logs; also in the header `X-Request-Id`. */
  @ApiProperty({ type: String, example: '5f0c1e0a-6c0e-4f57-9d9c-0d8a3c9b7a11' })
  requestId!: string;

  /** Every invalid part of the request; empty if the problem is none of its parts. */
  @ApiProperty({ type: () => ViolationView, isArray: true })
  errors!: readonly ViolationView[];

  /** The same as `detail`, for clients that read only this. */
  @ApiProperty({ type: String, example: 'message must not be blank: send the research query.' })
  error!: string;
}

/** What a job needs that its tenant's balance does not have. */
@ApiSchema({ name: 'InsufficientBalanceProblem' })
export class InsufficientBalanceProblemView extends ProblemView {
  /** What jobs may reserve at the moment, in cents. */
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, example: 340 })
  balanceCents!: number;

  /** What this job would hold until it ends, in cents: the cap of its budget. */
  @ApiProperty({ type: 'integer', format: 'int64', minimum: 0, example: 1500 })
  requiredCents!: number;
}
