import { ROLES } from './roles';

/**
 * The one program of the image: a role, `all` or several roles separated by commas start the service; anything else is a command of the
 * operator, such as `migrate` or `doctor saga`.
 */
const [, , first = 'all'] = process.argv;
const roles = ['all', ...ROLES] as string[];
void (first.split(',').every((name) => roles.includes(name)) ? import('./main.js') : import('./cli/main.js'));
