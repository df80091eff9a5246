import { setTimeout as pause } from 'node:timers/promises';
import { anyone, type Instance } from '@gantry/wire';
import { viewerToken } from '../../packages/server/test/viewer-token.ts';

/** The page of one member, which listens, and reconnects as a browser's does. */
export interface EventListener {
  /** Resolves with members of whose activities it heard nothing since a time, within 5 s. */
  unheard(members: readonly string[], sinceMs: number): Promise<readonly string[]>;
  /** Time at which it last heard of a member's activities. */
  heardAtMs(member: string): number | undefined;
  stop(): Promise<void>;
}

const patienceMs = 5_000;

/** Listens to events of `member`'s page with `board`. `sitePort` is that of the site's address. */
export function listenToEvents({
  port,
  member,
  sitePort = port,
}: {
  readonly port: number;
  readonly member: string;
  readonly sitePort?: number;
}): EventListener {
  const url = `http://localhost:${sitePort}`;
  const heardAtMs = new Map<string, number>();
  const stopping = new AbortController();
  let since: string | undefined;

  async function post(path: string, body: object): Promise<Response> {
    const headers = {
      Origin: url,
      Authorization: `Bearer ${viewerToken(member, url)}`,
      'Content-Type': 'application/json',
      'Gantry-Container': '1',
    };
    const options = { method: 'POST', headers, body: JSON.stringify(body), signal: stopping.signal };
    const response = await fetch(`http://localhost:${port}${path}`, options);
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return response;
  }

  function hear(block: string): void {
    since = /^id: (.*)$/m.exec(block)?.[1] ?? since;
    const [, data] = /^event: changes\ndata: (.*)$/m.exec(block) ?? [];
    for (const { topic, member } of JSON.parse(data ?? '[]') as { topic: string; member: string }[]) {
      if (topic === 'activities') heardAtMs.set(member, performance.now());
    }
  }

  async function listenOnce(): Promise<void> {
    const [answer] = (await (await post('/gantry/instances', [{ app: 'board' }])).json()) as [{ ok: Instance }];
    const { instance, token } = answer.ok;
    const { body } = await post('/gantry/events', { tokens: { [instance]: token }, since: [since ?? answer.ok.since] });
    let text = '';
    for await (const part of (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream())) {
      const blocks = (text + part).split('\n\n');
      text = blocks.pop() as string;
      for (const block of blocks) hear(block);
    }
  }

  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listenOnce().catch(() => undefined); // as long as the database is away
      await pause(500);
    }
  }

  const listening = listen();
  return {
    async unheard(members, sinceMs) {
      const hasHeard = (id: string) => (heardAtMs.get(id) ?? heardAtMs.get(anyone) ?? 0) >= sinceMs;
      for (const startedAtMs = performance.now(); ; await pause(50)) {
        const missing = members.filter((id) => !hasHeard(id));
        if (missing.length === 0 || performance.now() - startedAtMs > patienceMs) return missing;
      }
    },
    heardAtMs: (id) => heardAtMs.get(id),
    stop() {
      stopping.abort();
      return listening;
    },
  };
}
