import { setTimeout as pause } from 'node:timers/promises';
import type { Call, Client, SentRequest } from './client.ts';
import { createLedger, type Held, type Intent, keysOf, type Ledger } from './ledger.ts';

/** One member who writes as fast as the server allows. */
export interface Writer {
  /** Writes until aborted or disconnected. Resolves with the acknowledged requests as sent. */
  write(client: Client, stop: AbortSignal): Promise<readonly SentRequest[]>;
  /** Resolves with differences between server and ledger, as sentences. */
  check(client: Client): Promise<readonly string[]>;
  readonly acknowledged: number;
}

const retryMs = 50;

export function createWriter(memberId: string): Writer {
  const ledger: Ledger = createLedger(memberId);
  let acknowledged = 0;

  return {
    get acknowledged() {
      return acknowledged;
    },
    async write(client, stop) {
      const sent: SentRequest[] = [];
      while (!stop.aborted) {
        const intent = ledger.next();
        const answered = await client.ask(callFor(intent, memberId)).catch(() => undefined);
        if (answered?.reply.status === 200) {
          ledger.acknowledged(intent);
          acknowledged++;
          sent.push(answered.request);
          continue;
        }
        ledger.uncertain(intent);
        if (!answered) return sent;
        const { reply } = answered;
        if (![502, 503, 504, 507].includes(reply.status)) {
          throw new Error(`A valid request was answered ${reply.status}: ${reply.text}`);
        }
        await pause(retryMs); // its database, or a balancer's server, is unreachable
      }
      return sent;
    },
    check: async (client) => ledger.check(await readHeld(client, memberId)),
  };
}

function callFor(intent: Intent, memberId: string): Call {
  const appData = '/appdata/@me/@self/@app';
  switch (intent.kind) {
    case 'save': {
      const body = Object.fromEntries(keysOf(intent.slot).map((key) => [key, String(intent.value)]));
      return { method: 'POST', path: appData, memberId, body };
    }
    case 'remove':
      return { method: 'DELETE', path: appData, memberId, query: { fields: keysOf(intent.slot).join() } };
    case 'post':
      return { method: 'POST', path: '/activities/@me/@self', memberId, body: { title: intent.title } };
  }
}

async function readHeld(client: Client, memberId: string): Promise<Held> {
  const get = async <T>(path: string, query: Record<string, string> = {}): Promise<T> => {
    const { status, text } = (await client.ask({ method: 'GET', path, memberId, query })).reply;
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return JSON.parse(text);
  };
  const { entry } = await get<{ entry: Record<string, Record<string, string>> }>('/appdata/@me/@self/@app');
  const titles: string[] = [];
  for (;;) {
    const query = { count: '100', startIndex: String(titles.length) };
    const page = await get<{ entry: { title: string }[]; totalResults: number }>('/activities/@me/@self', query);
    titles.push(...page.entry.map(({ title }) => title));
    if (titles.length >= page.totalResults || page.entry.length === 0) break;
  }
  return { appData: entry[memberId] ?? {}, titles };
}
