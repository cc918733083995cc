import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, transform } from 'esbuild';

/**
 * The npm packages that every start loads: thousands of small files, each of which takes longer to find and read than to run. Packages that look for
 * files or threads next to themselves are left out, and so are those that few processes use.
 */
const PACKAGES = [
  '@mikro-orm/core',
  '@mikro-orm/migrations',
  '@mikro-orm/postgresql',
  '@mikro-orm/sql',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/cqrs',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  'class-transformer',
  'class-validator',
  'fastify',
  'kysely',
  'nats',
  'nats/lib/src/node_transport',
  'pg',
  'prom-client',
  'reflect-metadata',
  'rxjs',
  'yaml',
];

/** Optional packages of Nest, which works without them. */
const NOT_INSTALLED = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
];

const FOLDER = resolve('dist/node_modules');
const ALL = join(FOLDER, 'packages.js');

/**
 * Puts these packages into one file beside the built code, in a folder where Node finds them before those of npm. Each is still loaded by its name
 * and run at its first use; without the file everything works as well, and starts more slowly.
 */
async function main(): Promise<void> {
  const contents = PACKAGES.map((name) => `exports[${JSON.stringify(name)}] = () => require(${JSON.stringify(name)});`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve('.') },
    outfile: ALL,
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // As Node chooses: what is required and what is imported must be the same module.
    conditions: [],
    keepNames: true,
    define: { 'import.meta.url': 'URL_OF_PACKAGES' },
    banner: { js: `const URL_OF_PACKAGES = require('node:url').pathToFileURL(__filename).href;` },
    external: [...NOT_INSTALLED, ...NOT_INSTALLED.map((name) => `${name}/*`)],
    logLevel: 'error',
  });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(ALL, await short(namingTheRenamed(outputFiles[0]?.text ?? '')));
  for (const name of PACKAGES) {
    const file = join(FOLDER, name, 'index.js');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `module.exports = require(${JSON.stringify(relative(dirname(file), ALL))})[${JSON.stringify(name)}]();\n`);
  }
}

/**
 * The bundler renames classes whose names clash in one file, but Nest, the ORM and the logs need the original names, so these are set again.
 * Functions that already have their name are skipped: to set it each time that one is created would cost more than the rest of a request.
 */
function namingTheRenamed(text: string): string {
  const named = text
    .replace(/^var __name = (.*)$/m, 'var __name = (target) => target;\nvar __rename = $1')
    .replaceAll(/(static \{\s*)__name\(this,/g, '$1__rename(this,')
    .replaceAll(/^ *__name\(([\w$]+), "([\w$]*)"\);\n/gm, (_, variable, name) =>
      variable === name ? '' : `__rename(${variable}, "${name}");\n`,
    );
  if (!named.includes('__rename(this,')) throw new Error('the names of classes are lost: esbuild writes them in another way');
  return named;
}

/**
 * Removes comments and indentation, because every process keeps its source text in memory, and with two bytes per character if a single one is not
 * Latin-1. Lines stay short, so that an error can show the line that it comes from.
 */
async function short(text: string): Promise<string> {
  const { code } = await transform(text, {
    minifyWhitespace: true,
    legalComments: 'none',
    lineLimit: 160,
    platform: 'node',
    target: 'node24',
  });
  // Only regular expressions still have such characters.
  return code.replaceAll(/(\\*)([^\x00-\x7f])/g, (_, escapes: string, unit: string) => {
    if (escapes.length % 2 === 1)
      throw new Error(`packages have an escaped "${unit}", which cannot be written in another way: leave that package out`);
    return `${escapes}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

void main();
