/**
 * Reads the body of a request as text.
 *
 * @example
 * import { Readable } from 'node:stream';
 * await readBody(Readable.from([Buffer.from('text')]), 4); // 'text'
 * await readBody(Readable.from([Buffer.from('text')]), 3); // undefined
 * @returns Nothing where the body has more than `mostBytes`, which are counted while they are read.
 */
export async function readBody(incoming: AsyncIterable<Buffer>, mostBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
