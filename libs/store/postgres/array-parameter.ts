/** One-dimensional arrays in PostgreSQL's binary format: nothing is escaped here and nothing parsed there. */

const HEADER_BYTES = 20;

interface Element<Value> {
  oid: number;
  sizeOf: (value: Value) => number;
  write: (buffer: Buffer, value: Value, offset: number) => void;
}

const TEXT: Element<string> = {
  oid: 25,
  sizeOf: (value) => Buffer.byteLength(value),
  write: (buffer, value, at) => buffer.write(value, at),
};
const BOOL: Element<boolean> = { oid: 16, sizeOf: () => 1, write: (buffer, value, at) => buffer.writeUInt8(value ? 1 : 0, at) };
const INT4: Element<number> = { oid: 23, sizeOf: () => 4, write: (buffer, value, at) => buffer.writeInt32BE(value, at) };
const INT8: Element<number> = { oid: 20, sizeOf: () => 8, write: (buffer, value, at) => buffer.writeBigInt64BE(BigInt(value), at) };
const BYTEA: Element<Buffer> = { oid: 17, sizeOf: (value) => value.length, write: (buffer, value, at) => value.copy(buffer, at) };

export const textArray = (values: readonly (string | null)[]): Buffer => encode(TEXT, values);
export const boolArray = (values: readonly boolean[]): Buffer => encode(BOOL, values);
export const int4Array = (values: readonly (number | null)[]): Buffer => encode(INT4, values);
export const int8Array = (values: readonly (number | null)[]): Buffer => encode(INT8, values);
export const byteaArray = (values: readonly (Buffer | null)[]): Buffer => encode(BYTEA, values);

function encode<Value>({ oid, sizeOf, write }: Element<Value>, values: readonly (Value | null)[]): Buffer {
  const sizes = values.map((value) => (value === null ? -1 : sizeOf(value)));
  const bytes = sizes.reduce((total, size) => total + 4 + Math.max(size, 0), HEADER_BYTES);
  const buffer = Buffer.allocUnsafe(bytes);
  const hasNull = sizes.includes(-1) ? 1 : 0;
  const header = values.length > 0 ? [1, hasNull, oid, values.length, 1] : [0, 0, oid];
  header.forEach((field, index) => buffer.writeInt32BE(field, index * 4));
  if (values.length === 0) return buffer.subarray(0, 12);
  let offset = HEADER_BYTES;
  values.forEach((value, index) => {
    const size = sizes[index] as number;
    buffer.writeInt32BE(size, offset);
    offset += 4;
    if (value === null) return;
    write(buffer, value, offset);
    offset += size;
  });
  return buffer;
}
