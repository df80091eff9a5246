/**
 * Resolves with a request's body as text; with `undefined` once it is too long, whatever its header
 * says: a body that is sent in chunks has none.
 */
export async function readBody(incoming, mostBytes) {
  let held = Buffer.allocUnsafe(1024);
  let length = 0;
  for await (const part of incoming.iterator({ destroyOnReturn: false })) {
    if (length + part.length > mostBytes) return undefined;
    if (length + part.length > held.length) held = Buffer.concat([held], 2 * (length + part.length)); // joined as it comes: a chunk may be a byte
    part.copy(held, length);
    length += part.length;
  }
  return held.toString('utf8', 0, length);
}
