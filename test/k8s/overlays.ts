import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const OVERLAYS = ['k8s/overlays/dev', 'k8s/overlays/ha', 'k8s/overlays/airgap', 'k8s/overlays/examples'];

/** The dev overlay is made with secrets of one's own, which are not committed. */
export async function makeDevSecrets(): Promise<void> {
  await promisify(execFile)('k8s/overlays/dev/make-secrets');
}
