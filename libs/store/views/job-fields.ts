import { Identifier, Integer, Text, Timestamp } from './schema';

/** Fields that several views of a job have, described once. */
export const ParentJob = (): PropertyDecorator =>
  Identifier('job', { nullable: true, description: 'The job that this one follows on from; null for the first of a thread.' });

export const BudgetCap = (): PropertyDecorator => Integer(1500, { description: 'Spending cap of the job in cents.' });

export const ResearchQuestion = (): PropertyDecorator =>
  Text('How does Fastify handle an error thrown in a hook or a handler?', {
    description: "The research question: the thread's first message, or the topic of a pursue.",
  });

export const Report = (): PropertyDecorator =>
  Text('# Answer\n\nAn error thrown in a handler reaches the error handler of its scope [1].', {
    nullable: true,
    description: 'The report in Markdown; null until the job completed, and in a failed or cancelled job.',
  });

export const CustomerCost = (): PropertyDecorator =>
  Integer(12, { description: 'What the customer is charged, in cents, rounded up; 0 until the job is final.' });

const UNTIL_FINAL = { nullable: true, description: 'Null until the job is final.' };

export const JobDuration = (): PropertyDecorator => Integer(14, UNTIL_FINAL);

export const JobCompletion = (): PropertyDecorator => Timestamp(UNTIL_FINAL);
