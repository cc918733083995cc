import { grant } from '@lib/store/postgres/grant';
import type { DatabaseRole } from '@lib/store/postgres/privileges';
import { searchRemedy, unsearchedSchema } from '@lib/store/postgres/tables-elsewhere';
import { withOperatorPool } from './operator-pool';

interface GrantsOptions {
  to: string;
  as: DatabaseRole;
  print?: true;
}

export async function grantsCommand({ to, as, print }: GrantsOptions): Promise<void> {
  const { statements, unsearched } = await withOperatorPool(async (pool) => ({
    statements: await grant(pool, { role: to, as }, { isDry: print === true }),
    unsearched: await unsearchedSchema(pool, to),
  }));
  if (print) console.log(['begin', ...statements, 'commit'].map((statement) => `${statement};`).join('\n'));
  else console.log(`The role ${to} is ${/^a/.test(as) ? 'an' : 'a'} ${as} role now. Run this again after each \`research migrate\`.`);
  if (unsearched !== null)
    console.error(`The tables are in the schema ${unsearched}. So that ${to} finds them, ${searchRemedy(unsearched, to)}.`);
}
