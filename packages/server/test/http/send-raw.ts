import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends bytes to a port of this machine as they are, and resolves with everything that came back.
 */
export async function sendRaw(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return text;
}
