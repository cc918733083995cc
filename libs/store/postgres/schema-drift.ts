import { connectAlone } from './pool';
import { ormOn } from './orm';

/** The statements that would make the migrated database what the entities say; none if they agree. Nothing is changed. */
export async function schemaDrift(databaseUrl: string): Promise<string[]> {
  const client = await connectAlone(databaseUrl);
  try {
    const orm = await ormOn(client);
    const difference = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    return difference.split('\n').filter((line) => line.trim() !== '');
  } finally {
    await client.end();
  }
}
