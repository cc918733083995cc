import { examine } from '../doctor/doctor';
import type { Check } from '../doctor/check';
import { readRoles } from '../roles';

interface DoctorOptions {
  live?: boolean;
  json?: boolean;
}

/** Prints the checks for a process of these roles in this environment. Exit code 1 if something will not work. */
export async function doctor(roles: string, { live = false, json = false }: DoctorOptions): Promise<void> {
  const checks = await examine({ environment: process.env, roles: readRoles(roles), live, today: new Date() });
  const text = json ? `${JSON.stringify({ checks }, null, 2)}\n` : textOf(checks, live);
  await new Promise((written) => process.stdout.write(text, written));
  // If a server accepts a connection but sends nothing, the NATS client keeps the socket open, and with it this process.
  process.exit(checks.some(({ status }) => status === 'problem') ? 1 : 0);
}

function textOf(checks: readonly Check[], live: boolean): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, status, detail, remedy }) => {
    const line = `${status.padEnd(7)}  ${name.padEnd(width)}  ${detail.replace(/\s+/g, ' ')}`;
    return remedy === null ? [line] : [line, `${' '.repeat(9)}${' '.repeat(width)}  → ${remedy}`];
  });
  const count = (status: Check['status']): number => checks.filter((check) => check.status === status).length;
  const hint = live ? '' : ' With --live each API is asked whether its key works, which costs nothing.';
  return `${lines.join('\n')}\n\nProblems: ${count('problem')}, warnings: ${count('warning')}.${hint}\n`;
}
