import type { System } from './system';

/** What each role says of itself: `ok`, or what is down; of one that is ready all the same, that too. */
export async function readinessOf(system: System): Promise<string> {
  const said = [...system.services].map(async ([role, { address }]) => {
    const response = await fetch(`${address}/health/ready`);
    const { errors = [], checks } = (await response.json()) as { errors?: { pointer: string }[]; checks?: string[] };
    expect(response.status).toBe(errors.length > 0 ? 503 : 200);
    expect((await fetch(`${address}/health/live`)).status).toBe(200);
    const readyAllTheSame = role !== 'worker' && checks?.includes('database') === false;
    return `${role} ${errors.map(({ pointer }) => pointer).join() || (readyAllTheSame ? 'ok without /database' : 'ok')}`;
  });
  return (await Promise.all(said)).join(' ');
}
