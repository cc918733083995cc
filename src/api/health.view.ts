import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The answer of a process that is well. */
@ApiSchema({ name: 'Health' })
export class HealthView {
  /** Always `ok`: anything else is a problem. */
  @ApiProperty({ type: String, example: 'ok' })
  status!: string;

  /** What was checked, and passed. */
  @ApiProperty({ type: String, isArray: true, example: ['database'] })
  checks!: string[];
}
