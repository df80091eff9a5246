import { type Host, openHost } from '@gantry/testing/node';
import type { Count } from '../figures/report.ts';

/** Ways to read, by what they are called. */
const reads: Readonly<Record<string, (host: Host) => PromiseLike<unknown>>> = {
  'a first read': ({ osapi }) => osapi.people.getViewerFriends(),
  'a repeated read': ({ osapi }) => osapi.people.getViewerFriends(),
  '100 repeated reads of one tick': ({ osapi }) =>
    Promise.all(Array.from({ length: 100 }, () => osapi.people.getViewerFriends())),
  'a write': ({ osapi }) => osapi.appdata.update({ data: { key: 'value' } }),
};

/**
 * Counts the messages between an app and its page for each way to read, in both directions, and
 * their characters as JSON, with the real SDK, port and container in this process.
 *
 * @param ways Further ways, which follow.
 */
export async function countCrossings(ways: typeof reads = {}): Promise<readonly Count[]> {
  const messages: string[] = [];
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (this: MessagePort, ...args: Parameters<typeof postMessage>) {
    messages.push(JSON.stringify(args[0]));
    return postMessage.apply(this, args);
  } as typeof postMessage;
  let host: Host | undefined;
  try {
    host = await openHost({ app: { uses: ['people.get', 'appdata.update'] }, world: 'friendly' });
    const counts: Count[] = [];
    for (const [name, read] of Object.entries({ ...reads, ...ways })) {
      messages.length = 0;
      await read(host);
      const [count, characters] = [messages.length, messages.join('').length];
      counts.push({ name: `Crossings of ${name}`, value: count, unit: 'messages' });
      counts.push({ name: `Characters of ${name}`, value: characters, unit: 'characters' });
    }
    return counts;
  } finally {
    MessagePort.prototype.postMessage = postMessage;
    await host?.close();
  }
}
