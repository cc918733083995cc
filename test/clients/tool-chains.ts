import { execFile, spawnSync } from 'node:child_process';
import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../..');
const CONTRACT = join(ROOT, 'openapi/openapi.json');
const PROGRAMS = join(__dirname, 'programs');
/** What only `make clients` fetches. */
const FETCHED = join(ROOT, '.cache/clients');

const GENERATOR_VERSION = '7.25.0';
const GENERATOR = join(FETCHED, `openapi-generator-cli-${GENERATOR_VERSION}.jar`);
const PYTHON = join(FETCHED, 'python');
const JAVA_LIBRARIES = join(FETCHED, 'java');
const NSWAG_VERSION = '14.7.1';
const NSWAG = join(FETCHED, 'nswag');
const NSWAG_BINARIES = join(NSWAG, 'node_modules/nswag/bin/binaries/Win');

type Command = readonly [program: string, ...parameters: string[]];

export interface ToolChain {
  language: string;
  /** Programs of the machine, each with what makes it say its version. */
  programs: readonly Command[];
  /** What has to be fetched once, beside the generator. */
  fetched: readonly string[];
  /** Fetches it, with the generated code in the folder `client`. */
  fetch?: (folder: string) => Promise<void>;
  /** Generates the client into the folder `client` of the given one. */
  generate: (folder: string) => Promise<void>;
  /** Compiles the program with it; what then has to be run. */
  compile: (folder: string) => Promise<Command>;
}

/** Why the client of a language cannot be run on this machine, if so. */
export function whatIsMissing({ programs, fetched }: ToolChain, mayFetch: boolean): string | null {
  const absent = programs.filter(([program, ...parameters]) => spawnSync(program, parameters).status !== 0).map(([program]) => program);
  if (absent.length > 0) return `this machine has no ${absent.join(' and no ')}`;
  if (mayFetch || fetched.every((path) => existsSync(path))) return null;
  return 'what it needs was not fetched: run make clients';
}

async function exec(command: Command, cwd: string, environment: object = {}): Promise<void> {
  const [program, ...parameters] = command;
  await run(program, parameters, { cwd, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 });
}

async function fetchGenerator(folder: string): Promise<void> {
  if (existsSync(GENERATOR)) return;
  await mkdir(FETCHED, { recursive: true });
  const artifact = `org.openapitools:openapi-generator-cli:${GENERATOR_VERSION}`;
  await exec(['mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${FETCHED}`], folder);
}

async function generateWith(folder: string, generator: string, properties: readonly string[], more: readonly string[] = []): Promise<void> {
  await fetchGenerator(folder);
  const onlyCode = '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const output = ['-o', join(folder, 'client'), `--additional-properties=${properties.join(',')}`, onlyCode];
  await exec(['java', '-jar', GENERATOR, 'generate', '-i', CONTRACT, '-g', generator, ...output, ...more], folder);
}

const typescript: ToolChain = {
  language: 'TypeScript',
  programs: [],
  fetched: [],
  async generate(folder) {
    const generator = join(ROOT, 'node_modules/.bin/openapi-ts');
    await exec([generator, '-s', '--no-log-file', '-i', CONTRACT, '-o', join(folder, 'client'), '-c', '@hey-api/client-fetch'], folder);
  },
  async compile(folder) {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await copyFile(join(PROGRAMS, 'program.ts'), join(folder, 'program.ts'));
    const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck', '--types', 'node', '--ignoreConfig'];
    await exec([join(ROOT, 'node_modules/.bin/tsc'), ...options, 'program.ts'], folder);
    return [process.execPath, join(folder, 'program.js')];
  },
};

const python: ToolChain = {
  language: 'Python',
  programs: [
    ['python3', '--version'],
    ['java', '-version'],
    ['mvn', '-version'],
  ],
  fetched: [GENERATOR, PYTHON],
  generate: (folder) => generateWith(folder, 'python', ['packageName=research_client']),
  async fetch(folder) {
    await exec(['python3', '-m', 'venv', PYTHON], folder);
    await exec([join(PYTHON, 'bin/pip'), 'install', '--quiet', '-r', join(folder, 'client/requirements.txt')], folder);
  },
  async compile(folder) {
    await copyFile(join(PROGRAMS, 'program.py'), join(folder, 'client/program.py'));
    return [join(PYTHON, 'bin/python'), join(folder, 'client/program.py')];
  },
};

const java: ToolChain = {
  language: 'Java',
  programs: [
    ['java', '-version'],
    ['javac', '-version'],
    ['mvn', '-version'],
  ],
  fetched: [GENERATOR, JAVA_LIBRARIES],
  generate(folder) {
    const packages = ['invokerPackage=research', 'apiPackage=research.api', 'modelPackage=research.model'];
    // A list that may be left out is not sent as an empty one. A new optional parameter shifts those of a method, but not of its request.
    return generateWith(
      folder,
      'java',
      ['openApiNullable=false', 'containerDefaultToNull=true', 'useSingleRequestParameter=true', ...packages],
      ['--library=native'],
    );
  },
  async fetch(folder) {
    const copy = ['dependency:copy-dependencies', '-DincludeScope=compile', `-DoutputDirectory=${JAVA_LIBRARIES}`];
    await exec(['mvn', '-q', '-B', '-f', join(folder, 'client/pom.xml'), ...copy], folder);
  },
  async compile(folder) {
    const classes = join(folder, 'classes');
    const path = [`${JAVA_LIBRARIES}/*`, classes].join(':');
    const sources = ['-sourcepath', join(folder, 'client/src/main/java'), join(PROGRAMS, 'Program.java')];
    await exec(['javac', '-nowarn', '-cp', path, '-d', classes, ...sources], folder);
    return ['java', '-cp', path, 'Program'];
  },
};

const go: ToolChain = {
  language: 'Go',
  programs: [
    ['go', 'version'],
    ['java', '-version'],
    ['mvn', '-version'],
  ],
  fetched: [GENERATOR],
  generate: (folder) => generateWith(folder, 'go', ['packageName=research', 'withGoMod=false']),
  async compile(folder) {
    await writeFile(join(folder, 'go.mod'), 'module example.test/clients\n\ngo 1.24\n');
    await cp(join(folder, 'client'), join(folder, 'research'), { recursive: true });
    await copyFile(join(PROGRAMS, 'program.go'), join(folder, 'main.go'));
    await exec(['go', 'build', '-o', 'program', '.'], folder, { GOPROXY: 'off', GOTOOLCHAIN: 'local' });
    return [join(folder, 'program')];
  },
};

const csharp: ToolChain = {
  language: 'C#',
  programs: [
    ['mono', '--version'],
    ['mcs', '--version'],
  ],
  fetched: [NSWAG_BINARIES],
  async generate(folder) {
    if (!existsSync(NSWAG_BINARIES)) await exec(['npm', 'install', '--no-save', '--prefix', NSWAG, `nswag@${NSWAG_VERSION}`], folder);
    const names = ['/classname:ResearchClient', '/namespace:Research', '/generateOptionalParameters:true'];
    const generator = join(NSWAG_BINARIES, 'NSwag.exe');
    await exec(['mono', generator, 'openapi2csclient', `/input:${CONTRACT}`, `/output:${join(folder, 'Client.cs')}`, ...names], folder);
  },
  async compile(folder) {
    await copyFile(join(NSWAG_BINARIES, 'Newtonsoft.Json.dll'), join(folder, 'Newtonsoft.Json.dll'));
    const system = ['System.Net.Http', 'System.Runtime.Serialization', 'System.ComponentModel.DataAnnotations'];
    const references = [...system.map((name) => `-r:${name}.dll`), '-r:Newtonsoft.Json.dll'];
    await exec(['mcs', '-langversion:latest', ...references, '-out:program.exe', 'Client.cs', join(PROGRAMS, 'Program.cs')], folder);
    return ['mono', join(folder, 'program.exe')];
  },
};

export const TOOL_CHAINS: readonly ToolChain[] = [typescript, python, java, go, csharp];
