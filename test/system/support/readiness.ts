import type { System } from './system';

/** What each role says of itself: `ok`, or what is down. */
export async function readinessOf(system: System): Promise<string> {
  const said = [...system.services].map(async ([role, { address }]) => {
    const response = await fetch(`${address}/health/ready`);
    const { errors = [] } = (await response.json()) as { errors?: { pointer: string }[] };
    expect(response.status).toBe(errors.length > 0 ? 503 : 200);
    expect((await fetch(`${address}/health/live`)).status).toBe(200);
    return `${role} ${errors.map(({ pointer }) => pointer).join() || 'ok'}`;
  });
  return (await Promise.all(said)).join(' ');
}
