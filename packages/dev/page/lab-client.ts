import type { LabAnswer, LabRequest } from '@gantry/dev/protocol';
import type { Scenario } from '@gantry/lab/scenario';

/** The dev host's server. */
export interface LabClient {
  /** @throws Error with the server's own sentence. */
  make(request: LabRequest): Promise<LabAnswer>;
  jumpClock(lab: string, jumpMs: number): Promise<void>;
  setNetwork(lab: string, network: NonNullable<Scenario['network']>): Promise<void>;
  setPermissions(lab: string, permissions: NonNullable<Scenario['permissions']>): Promise<void>;
  /** Releases a lab. Never throws: the server closes unused ones. */
  close(lab: string): void;
}

/** The server did not respond. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
}

/** The server closed the lab: many others were used after it. */
export class LabGone extends Error {
  override readonly name = 'LabGone';
}

export function createLabClient(fetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args)): LabClient {
  async function post(path: string, body: unknown): Promise<unknown> {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }).catch((cause: unknown) => {
      throw new ServerGone('gantry dev does not answer.', { cause });
    });
    const text = await response.text();
    if (response.status === 410) throw new LabGone(messageOf(text));
    if (!response.ok) throw new Error(messageOf(text) ?? `gantry dev answered ${response.status}.`);
    return text === '' ? undefined : JSON.parse(text);
  }
  async function tell(lab: string, what: string, body: unknown): Promise<void> {
    await post(`/dev/labs/${encodeURIComponent(lab)}/${what}`, body);
  }
  return {
    make: async (request) => (await post('/dev/labs', request)) as LabAnswer,
    jumpClock: (lab, jumpMs) => tell(lab, 'clock', { jumpMs }),
    setNetwork: (lab, network) => tell(lab, 'faults', { network }),
    setPermissions: (lab, permissions) => tell(lab, 'permissions', { permissions }),
    close(lab) {
      fetch(`/dev/labs/${encodeURIComponent(lab)}`, { method: 'DELETE' }).catch(() => {});
    },
  };
}

/** Returns the message of an error body: `{ error: { message } }`, `{ message }` or text. */
export function messageOf(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const error = (body as { error?: unknown } | null)?.error ?? body;
    const message = typeof error === 'string' ? error : (error as { message?: unknown } | null)?.message;
    return typeof message === 'string' ? message.slice(0, 1_000) : undefined;
  } catch {
    return text.startsWith('<') ? undefined : text.slice(0, 1_000) || undefined;
  }
}
