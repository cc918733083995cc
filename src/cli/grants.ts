import { grant } from '@lib/store/postgres/grant';
import type { DatabaseRole } from '@lib/store/postgres/privileges';
import { withOperatorPool } from './operator-pool';

interface GrantsOptions {
  to: string;
  as: DatabaseRole;
  print?: true;
}

export async function grantsCommand({ to, as, print }: GrantsOptions): Promise<void> {
  const statements = await withOperatorPool((pool) => grant(pool, { role: to, as }, { isDry: print === true }));
  if (print) console.log(['begin', ...statements, 'commit'].map((statement) => `${statement};`).join('\n'));
  else console.log(`The role ${to} is ${as === 'api' ? 'an' : 'a'} ${as} role now. Run this again after each \`research migrate\`.`);
}
