import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Database, Statement } from '@gantry/store';
import type { Count } from '../figures/report.ts';
import { send } from '../http.ts';
import { type BenchSiteOptions, startBenchSite } from '../site.ts';
import { countedRequests } from './requests.ts';

/** Counts the statements and the bytes on the wire of each request, when all caches are warm. */
export async function countServer(options: Omit<BenchSiteOptions, 'over'> = {}): Promise<readonly Count[]> {
  let statements = 0;
  const over = (db: Database): Database => ({
    ...db,
    query: <R>(statement: Statement) => {
      statements += 1;
      return db.query<R>(statement);
    },
    batch: (list) => {
      statements += list.length;
      return db.batch(list);
    },
  });
  const site = await startBenchSite({ ...options, over });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const counts: Count[] = [];
    for (const { name, status, prepare } of await countedRequests(site, agent)) {
      await send(agent, await prepare(), status); // fills caches
      const prepared = await prepare();
      const before = bytesRead(agent);
      statements = 0;
      await send(agent, prepared, status);
      counts.push({ name: `Statements of ${name}`, value: statements, unit: 'statements' });
      counts.push({ name: `Response of ${name}`, value: bytesRead(agent) - before, unit: 'bytes' });
    }
    return counts;
  } finally {
    agent.destroy();
    await site.close();
  }
}

/** Bytes that the one connection has received. */
function bytesRead({ sockets, freeSockets }: Agent): number {
  const [socket] = [sockets, freeSockets].flatMap((by) => Object.values(by).flat()) as Socket[];
  return socket?.bytesRead ?? 0;
}
