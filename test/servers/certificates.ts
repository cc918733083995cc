import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  certificate: string;
  key: string;
}

/** A certificate authority of a test, made by the machine's openssl, and what it has signed: paths of PEM files. */
export class Authority {
  private readonly own: Certificate;

  constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {
    this.own = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
    openssl('req', '-x509', ...KEY, '-keyout', this.own.key, '-out', this.own.certificate, '-days', '2', '-subj', `/CN=${name}`);
  }

  get certificate(): string {
    return this.own.certificate;
  }

  /** @param names such as `DNS:localhost` */
  sign(subject: string, names: readonly string[] = []): Certificate {
    const path = (ending: string): string => join(this.folder, `${this.name}-${subject}.${ending}`);
    const signed = { certificate: path('crt'), key: path('key') };
    openssl('req', '-new', ...KEY, '-keyout', signed.key, '-out', path('csr'), '-subj', `/CN=${subject}`);
    writeFileSync(path('ext'), names.length > 0 ? `subjectAltName=${names.join()}\n` : '\n');
    const { certificate, key } = this.own;
    const by = ['-CA', certificate, '-CAkey', key, '-CAcreateserial', '-days', '2', '-extfile', path('ext')];
    openssl('x509', '-req', '-in', path('csr'), '-out', signed.certificate, ...by);
    return signed;
  }
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

const openssl = (...parameters: string[]): void => void execFileSync('openssl', parameters, { stdio: 'pipe' });

export function hasOpenssl(): boolean {
  try {
    openssl('version');
    return true;
  } catch {
    return false;
  }
}
