import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo } from './demo.ts';

/**
 * Makes the demo's data once for the whole run, on first use: its two hundred pictures take seven
 * seconds of CPU.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-demo-'));
  let made: Promise<string> | undefined;

  async function firstStart(): Promise<string> {
    const { stop } = await startDemo(folder);
    await stop();
    return folder;
  }

  const broker = createServer((socket) => {
    made ??= firstStart().catch(({ message }: Error) => `!${message}`);
    made.then(
      (answer) => socket.end(answer),
      (error: Error) => socket.destroy(error),
    );
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  process.env.GANTRY_DEMO_DATA_PORT = String((broker.address() as AddressInfo).port);
  return async () => {
    broker.close();
    await made;
    await rm(folder, { recursive: true, force: true });
  };
}
