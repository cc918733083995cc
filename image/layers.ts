import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** A layer of the image, as a file named by its digest. */
export interface Layer {
  /** SHA-256 of the compressed archive, in hexadecimal. */
  digest: string;
  size: number;
  /** SHA-256 of the archive itself. */
  diffId: string;
  /** What it holds, for the image's history. */
  description: string;
}

/**
 * Packs a folder into a layer: names in order, one time and owner for all, so that the same files always give the same bytes.
 * @param seconds modification time of everything, since 1970
 */
export async function packLayer(folder: string, blobs: string, description: string, seconds: number): Promise<Layer> {
  const tar = join(blobs, 'layer.tar');
  const order = ['--sort=name', '--format=posix', '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime'];
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  execFileSync('tar', [...order, ...owner, `--mtime=@${seconds}`, '-C', folder, '-cf', tar, '.']);
  const zipped = `${tar}.gz`;
  await pipeline(createReadStream(tar), createGzip(), createWriteStream(zipped));
  const diffId = await sha256(tar);
  const digest = await sha256(zipped);
  const { size } = await stat(zipped);
  await rm(tar);
  execFileSync('mv', [zipped, join(blobs, digest)]);
  return { digest, size, diffId, description };
}

async function sha256(file: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
}

/** Writes a JSON document as a blob; returns how others refer to it. */
export async function writeBlob(
  blobs: string,
  mediaType: string,
  document: object,
): Promise<{ mediaType: string; digest: string; size: number }> {
  const text = JSON.stringify(document);
  const digest = createHash('sha256').update(text).digest('hex');
  await writeFile(join(blobs, digest), text);
  return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
}

export const readJson = async <Content>(file: string): Promise<Content> => JSON.parse(await readFile(file, 'utf8')) as Content;
