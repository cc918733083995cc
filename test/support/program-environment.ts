import { resolve } from 'node:path';

/**
 * What every program of the build is started with. Node keeps compiled code in that folder, as it may in operation: without it a fifth of what a start
 * costs is compiling the same again, and `make test` starts some hundred programs.
 */
export const PROGRAM_ENVIRONMENT = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: resolve(__dirname, '../../.cache/compiled') };
