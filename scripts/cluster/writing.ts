import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient, type SentRequest } from '../../bench/durability/client.ts';
import { createWriter, type Writer } from '../../bench/durability/writer.ts';

/** Clients who write, half of them through each process. */
export interface Writing {
  readonly writers: readonly Writer[];
  acknowledged(): number;
  /** Requests so far without a 200, as their statuses; 0 without a whole response. */
  refused(): readonly number[];
  /** Resolves after the next acknowledged write. @throws Error after a minute. */
  goesOn(): Promise<void>;
  /** Longest time without an acknowledged write since `sinceMs`, in milliseconds. */
  longestGapMs(sinceMs: number): number;
  /** Stops, and resolves with the acknowledged requests. */
  stop(): Promise<readonly SentRequest[]>;
}

const lookEveryMs = 20;
const patienceMs = 60_000;

export function startWriting(writerIds: readonly string[], ports: readonly number[]): Writing {
  const writers = writerIds.map(createWriter);
  const refused: number[] = [];
  const clients = ports.map((port) => observed(createClient(`http://127.0.0.1:${port}`), refused));
  const stopping = new AbortController();
  const running = writers.map((writer, index) =>
    writer.write(clients[index % clients.length] as (typeof clients)[number], stopping.signal),
  );
  const writtenAtMs: number[] = [];
  const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged, 0);

  async function look(): Promise<void> {
    for (let before = 0; !stopping.signal.aborted; await pause(lookEveryMs)) {
      const now = acknowledged();
      if (now > before) writtenAtMs.push(performance.now());
      before = now;
    }
  }

  const looking = look();
  return {
    writers,
    acknowledged,
    refused: () => refused,
    async goesOn() {
      const before = acknowledged();
      for (const startedAtMs = performance.now(); acknowledged() === before; await pause(lookEveryMs)) {
        if (performance.now() - startedAtMs > patienceMs) throw new Error('No write was acknowledged for a minute.');
      }
    },
    longestGapMs(sinceMs) {
      const times = [sinceMs, ...writtenAtMs.filter((atMs) => atMs > sinceMs)];
      return Math.max(...times.map((atMs, index) => (times[index + 1] ?? performance.now()) - atMs));
    },
    async stop() {
      stopping.abort();
      await looking;
      const sent = (await Promise.all(running)).flat();
      for (const client of clients) client.close();
      return sent;
    },
  };
}

function observed(client: Client, refused: number[]): Client {
  return {
    ...client,
    async ask(call) {
      const answered = await client.ask(call).catch((error: Error) => {
        refused.push(0);
        throw error;
      });
      if (answered.reply.status !== 200) refused.push(answered.reply.status);
      return answered;
    },
  };
}
