/**
 * Reads the body of a request as text.
 *
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
