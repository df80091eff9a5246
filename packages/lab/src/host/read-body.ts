/**
 * Reads the body of a request as text.
 *
 * @example
 * import { Readable } from 'node:stream';
 * await readBody(Readable.from([Buffer.from('text')]), 4); // 'text'
 * await readBody(Readable.from([Buffer.from('text')]), 3); // undefined
 * @returns `undefined` for more than `mostBytes`, which are counted while the body is read.
 */
export async function readBody(incoming: AsyncIterable<Buffer>, mostBytes: number): Promise<string | undefined> {
  return (await readBytes(incoming, mostBytes))?.toString();
}

/** Reads a body as `readBody` does, and keeps its bytes. */
export async function readBytes(incoming: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
