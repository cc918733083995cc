/** For bytes that are remembered: a short slice keeps the whole block that it was cut from, and `Buffer.copyBytesFrom` cuts one too. */
export function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
