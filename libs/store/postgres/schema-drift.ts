import { connectAlone } from './pool';
import { ormOn } from './orm';

/** Policies are left out: `research grants` makes them, and entities do not describe them. */
const OF_WALLS = /^(?:(?:drop|create|alter) policy |alter table \S+ (?:enable|disable|force|no force) row level security)/i;

/** The statements that would change the migrated tables into what the entities describe; none if they agree. Nothing is changed. */
export async function schemaDrift(databaseUrl: string): Promise<string[]> {
  const client = await connectAlone(databaseUrl);
  try {
    const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
    const orm = await ormOn(client, rows[0]);
    const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    return difference.split('\n').filter((line) => line.trim() !== '' && !OF_WALLS.test(line.trim()));
  } finally {
    await client.end();
  }
}
