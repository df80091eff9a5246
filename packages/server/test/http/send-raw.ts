import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends bytes to a port of this machine as they are, and resolves with everything that came back.
 */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}
