import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const BUFFERED_CHARACTERS = 262_144;

/** A file of a bundle while it is written, and its digest. It must not be there before. */
export class BundleFile {
  private readonly sum = createHash('sha256');
  private readonly waiting: string[] = [];
  private length = 0;

  private constructor(
    readonly name: string,
    private readonly file: FileHandle,
  ) {}

  static async create(folder: string, name: string): Promise<BundleFile> {
    return new BundleFile(name, await open(join(folder, name), 'wx'));
  }

  async write(text: string): Promise<void> {
    this.waiting.push(text);
    this.length += text.length;
    if (this.length >= BUFFERED_CHARACTERS) await this.flush();
  }

  /** @returns its line of the digests */
  async end(): Promise<string> {
    await this.flush();
    await this.file.close();
    return `${this.sum.digest('hex')}  ${this.name}\n`;
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.from(this.waiting.join(''));
    this.waiting.length = 0;
    this.length = 0;
    this.sum.update(bytes);
    await this.file.writeFile(bytes);
  }
}
