import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const DIST = resolve(__dirname, '../../dist');
const BUILT = join(DIST, 'node_modules');
const names = globSync(['*/index.js', '@*/*/index.js'], { cwd: BUILT }).map((file) => dirname(file));

/** In a process of its own: what a package exports to code that lies in a folder. */
const exportsOf = (folder: string): Record<string, string[]> => {
  const program = `const own = require('node:module').createRequire(${JSON.stringify(join(folder, 'here.js'))});
    const kinds = (all) => Object.keys(all).map((name) => name + ': ' + typeof all[name]).sort();
    console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, kinds(own(name))]))));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', maxBuffer: 2 ** 26 })) as Record<string, string[]>;
};

it('finds the packages of a start in one file beside the built code, with all that they export', () => {
  expect(existsSync(join(BUILT, 'packages.js'))).toBe(true);
  expect(names.length).toBeGreaterThan(10);
  // Node says `default` and `module.exports` of what was written as a module; our own code is compiled to ask for names.
  const named = (all: Record<string, string[]>) =>
    Object.fromEntries(
      Object.entries(all).map(([name, kinds]) => [name, kinds.filter((kind) => !/^(default|__esModule|module\.exports):/.test(kind))]),
    );
  expect(named(exportsOf(join(DIST, 'src')))).toEqual(named(exportsOf(resolve(__dirname))));
});

it('runs each of them once: Nest, the ORM and the pool know their own classes', () => {
  const program = `const own = require('node:module').createRequire(${JSON.stringify(join(DIST, 'src', 'main.js'))});
    const { HttpException } = own('@nestjs/common'), { NotFoundException } = own('@nestjs/common');
    const { Observable } = own('rxjs'), core = own('@mikro-orm/core'), { MikroORM } = own('@mikro-orm/postgresql');
    console.log(new NotFoundException() instanceof HttpException, NotFoundException.name, MikroORM.prototype instanceof core.MikroORM, Observable.name);`;
  expect(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })).toBe('true NotFoundException true Observable\n');
});
