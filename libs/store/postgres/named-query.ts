import pg from 'pg';
import { namedTenants } from '@lib/batching/named-tenants';

/** A part of `pg` that its types lack. */
interface Connection {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(values: { portal: string; statement: string; values: string[]; valueMapper: (value: string) => string }): void;
  execute(portal: { portal: string }): void;
}
interface OwnQuery {
  name?: string;
  text: string;
  hasBeenParsed(connection: Connection): unknown;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const Query = pg.Query as unknown as new (config: pg.QueryConfig) => OwnQuery;

/** Ends with the transaction, and answers no row. */
const NAME_TENANTS = `select from set_config('research_threads.tenants', $1, true) as named where named is null`;
const STATEMENT = 'name_tenants';
/** The connections on which it is prepared. */
const prepared = new WeakSet<Connection>();

/**
 * A statement that names its tenants. Another statement goes before it, in the same round trip and the same transaction: it sets the
 * parameter that the policies of the tables read. The transaction ends with the statement, and the parameter with it.
 */
class NamedQuery extends Query {
  private isNamed = false;
  private isNew = false;

  constructor(
    config: pg.QueryConfig,
    private readonly tenants: string,
  ) {
    super(config);
  }

  requiresPreparation(): boolean {
    return true;
  }

  override prepare(connection: Connection): void {
    if (!prepared.has(connection)) connection.parse({ name: STATEMENT, text: NAME_TENANTS });
    prepared.add(connection);
    connection.bind({ portal: '', statement: STATEMENT, values: [this.tenants], valueMapper: (value) => value });
    connection.execute({ portal: '' });
    this.isNew = !this.hasBeenParsed(connection);
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isNamed) {
      super.handleCommandComplete(message, connection);
      return;
    }
    this.isNamed = true;
    // The client took the parsing of the first statement for that of this one.
    if (!this.name || !this.isNew) return;
    Reflect.deleteProperty(connection.parsedStatements, this.name);
    connection.submittedNamedStatements[this.name] = this.text;
  }
}

/** Makes the pool's statements name the tenants they work for. A statement that works for no tenant sees and writes no tenant's rows. */
export function nameTenants(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (config: unknown) => unknown;
  const named = (given: string | pg.QueryConfig, values?: unknown[]): unknown => {
    const config = typeof given === 'string' ? { text: given } : given;
    return query(new NamedQuery(values ? { ...config, values } : config, listOf(namedTenants() ?? [])));
  };
  pool.query = named as typeof pool.query;
}

/** Separated by commas, which no tenant's id contains. */
function listOf(tenants: readonly string[]): string {
  for (const tenant of tenants) if (tenant.includes(',')) throw new Error(`the tenant ${JSON.stringify(tenant)} has a comma in its id`);
  return tenants.join();
}
