import { createHash } from 'node:crypto';

/** A package as npm's lock file (version 3) lists it. */
export interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface Lock {
  name: string;
  version: string;
  packages: Record<string, LockedPackage>;
}

/** What the service runs with, or also what it is built and tested with. */
export type Scope = 'production' | 'everything';

export interface Component extends LockedPackage {
  /** Where it is installed. */
  path: string;
  name: string;
  version: string;
  license: string;
}

export const UNKNOWN_LICENCE = 'unknown';

/** The installed packages, by name and version. */
export function componentsOf({ packages }: Lock, scope: Scope): Component[] {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && (scope === 'everything' || !dev))
    .map(([path, found]) => {
      const { version = '', license = UNKNOWN_LICENCE } = found;
      return { ...found, path, name: path.replace(/^.*node_modules\//, ''), version, license };
    })
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.version, other.version) || compare(one.path, other.path));
}

/** Includes the path, because npm installs a package several times if versions differ. */
const refOf = ({ path, version }: Pick<Component, 'path' | 'version'>): string => `${path}@${version}`;
const purlOf = ({ name, version }: Component): string => `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`;
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** CycloneDX 1.6. The same lock file always gives the same document. */
export function billOfMaterials(lock: Lock, scope: Scope): object {
  const components = componentsOf(lock, scope);
  const root = `${lock.name}@${lock.version}`;
  const byPath = new Map(components.map((component) => [component.path, component]));
  const dependsOn = (path: string): string[] => {
    const { dependencies, optionalDependencies } = lock.packages[path] ?? {};
    const names = Object.keys({ ...dependencies, ...optionalDependencies });
    const found = names.flatMap((name) =>
      resolved(path, name)
        .flatMap((at) => byPath.get(at) ?? [])
        .slice(0, 1),
    );
    return found.map(refOf).toSorted(compare);
  };
  return {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: `urn:uuid:${uuidOf(JSON.stringify([lock, scope]))}`, version: 1 },
    metadata: { component: { type: 'application', 'bom-ref': root, name: lock.name, version: lock.version } },
    components: components.map((component) => ({
      ...{ type: 'library', 'bom-ref': refOf(component), name: component.name, version: component.version, purl: purlOf(component) },
      scope: component.dev ? 'excluded' : component.optional ? 'optional' : 'required',
      licenses: component.license === UNKNOWN_LICENCE ? [] : [{ expression: component.license }],
      hashes: hashesOf(component.integrity),
    })),
    dependencies: [
      { ref: root, dependsOn: dependsOn('') },
      ...components.map((component) => ({ ref: refOf(component), dependsOn: dependsOn(component.path) })),
    ],
  };
}

/** Places where Node looks for a package, nearest first. */
function resolved(path: string, name: string): string[] {
  const parents =
    path === ''
      ? []
      : [
          path,
          ...path
            .split('/node_modules/')
            .slice(0, -1)
            .map((_, count, parts) =>
              path
                .split('/node_modules/')
                .slice(0, parts.length - count)
                .join('/node_modules/'),
            ),
        ];
  return [...parents.map((parent) => `${parent}/node_modules/${name}`), `node_modules/${name}`];
}

const NAMES: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384' };

function hashesOf(integrity = ''): { alg: string; content: string }[] {
  return integrity.split(' ').flatMap((one) => {
    const [algorithm = '', digest = ''] = one.split(/-(.*)/s);
    const alg = NAMES[algorithm];
    return alg ? [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }] : [];
  });
}

/** A name-based UUID. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A table for people: each package of production with its licence. */
export function licenceList(lock: Lock): string {
  const rows = new Set(componentsOf(lock, 'production').map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`));
  return `| package | version | licence |\n|---|---|---|\n${[...rows].join('\n')}\n`;
}
