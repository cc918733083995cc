import type { SyncTransformer, TransformOptions } from '@jest/transform';
import swc from '@swc/jest';
import { relative } from 'node:path';
import { instrument } from './instrument';

interface Options {
  root: string;
  /** What is mutated, below the root. */
  files: string[];
  swc: Parameters<typeof swc.createTransformer>[0];
}

/** The transformer of the tests, which puts the mutants into the files that are mutated. */
const createTransformer = ({ root, files, swc: options }: Options): SyncTransformer => {
  const mutated = new Set(files);
  const inner = swc.createTransformer(options) as Required<SyncTransformer>;
  const textOf = (source: string, path: string): string => {
    const file = relative(root, path);
    return mutated.has(file) ? instrument(file, source).text : source;
  };
  return {
    process: (source: string, path: string, given: TransformOptions) => inner.process(textOf(source, path), path, given),
    getCacheKey: (source: string, path: string, given: TransformOptions) => inner.getCacheKey(textOf(source, path), path, given),
  };
};

/** As jest wants it. */
export default { createTransformer };
