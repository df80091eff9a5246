/** Reads a body. Beyond `limit` bytes, leaves the rest unread and resolves with `undefined`. */
export async function readBytes(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Buffer | undefined> {
  if (body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) return undefined; // leaving the loop cancels the stream
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
