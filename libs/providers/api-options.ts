import { Allow, IsUrl, Matches } from 'class-validator';

import { wholeNumber } from '@lib/validation/whole-number';

import { Prices } from './prices';

export const tokens = wholeNumber(1, 1_000_000);
export const calls = wholeNumber(1, 1000);
/** The time between two polls of a background run. */
export const pollInterval = wholeNumber(1, 60_000);
export const toolName = Matches(/^[a-z0-9_]{1,100}$/, {
  message: 'must be the name of a tool, of lower-case letters, digits and underscores',
});

/** The base URL of an API, with its version. A key never belongs in it. */
export const apiAddress = IsUrl(
  {
    protocols: ['http', 'https'],
    require_protocol: true,
    require_tld: false,
    // Compose services have underscores in their names, and a name that is complete ends with a dot.
    allow_underscores: true,
    allow_trailing_dot: true,
    disallow_auth: true,
    allow_query_components: false,
    allow_fragments: false,
  },
  { message: 'must be a URL that starts with http:// or https://, without a user, a query or a fragment' },
);

/** Options of every adapter that calls an API over the network. */
export class ApiOptions {
  @apiAddress baseUrl!: string;
  @Allow() prices = new Prices();
}
