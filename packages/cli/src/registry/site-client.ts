import { setTimeout } from 'node:timers/promises';
import { isRecord } from '@gantry/wire';
import { terminalText } from '@gantry/wire/runtime';

/** The registry of a site, or of the data folder on this machine. Paths are below its root. */
export interface RegistryClient {
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: object): Promise<Answer>;
  put(path: string, bytes: Uint8Array): Promise<void>;
}

/** The site refused a request, or could not be reached. */
export class SiteRefusal extends Error {
  override readonly name = 'SiteRefusal';
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Milliseconds after which the site asks for a retry. */
  readonly retryMs: number | undefined;

  constructor(status: number, message: string, options: ErrorOptions & { readonly retryMs?: number | undefined } = {}) {
    super(message, options);
    this.status = status;
    this.retryMs = options.retryMs;
  }
}

export interface SiteClientOptions {
  /** Origin of the site. */
  readonly site: string;
  readonly key: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits, in milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly type?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const tries = 7;
const longestPauseMs = 60_000;
const timeoutMs = 120_000;
/** Statuses of failures that pass by themselves. */
const passing: ReadonlySet<number> = new Set([0, 408, 429, 502, 503, 504]);

/**
 * Makes the client of a site's registry. Every request can be repeated, so that lost connections,
 * restarts and limits of the site cost time only.
 */
export function createSiteClient(options: SiteClientOptions): RegistryClient {
  const { site, key, fetch = globalThis.fetch, pause = setTimeout } = options;

  async function send(sent: Sent): Promise<unknown> {
    for (let tried = 1; ; tried++) {
      const answer = await attempt(sent);
      if (!(answer instanceof SiteRefusal)) return answer;
      if (!passing.has(answer.status) || tried === tries) throw answer;
      await pause(Math.min(answer.retryMs ?? 500 * 2 ** tried, longestPauseMs));
    }
  }

  async function attempt({ method, path, type, body }: Sent): Promise<unknown> {
    try {
      const answer = await fetch(`${site}/gantry/registry${path}`, {
        method,
        ...(body !== undefined && { body }),
        headers: { Authorization: `Bearer ${key}`, ...(type !== undefined && { 'Content-Type': type }) },
        redirect: 'manual', // a key goes to no other address
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.text();
      return answer.ok ? answerIn(text) : refusalIn(answer, text);
    } catch (cause) {
      const { message, cause: inner } = cause as Error;
      const reason = terminalText(inner instanceof Error && inner.message !== '' ? inner.message : message);
      return new SiteRefusal(0, `${site} cannot be reached: ${reason}`, { cause });
    }
  }

  function answerIn(text: string): unknown {
    if (text === '') return undefined;
    return parse(text) ?? new SiteRefusal(200, `${site} answers /gantry/registry/ without JSON: is it a Gantry?`);
  }

  function refusalIn({ status, headers }: Response, text: string): SiteRefusal {
    const json = parse(text);
    const said = isRecord(json) && isRecord(json.error) ? json.error.message : undefined;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    const retryMs = seconds > 0 ? seconds * 1_000 : undefined;
    if (typeof said === 'string') return new SiteRefusal(status, terminalText(said, 2_000), { retryMs });
    const hint = status === 413 ? 'a server before it takes no bodies of 256 KiB' : 'is /gantry/ passed on to Gantry?';
    return new SiteRefusal(status, `${site} answers ${status}, which is not from Gantry: ${hint}`, { retryMs });
  }

  return {
    get: async <Answer>(path: string) => (await send({ method: 'GET', path })) as Answer,
    post: async <Answer>(path: string, body: object) =>
      (await send({ method: 'POST', path, type: 'application/json', body: JSON.stringify(body) })) as Answer,
    put: async (path, bytes) => {
      await send({ method: 'PUT', path, type: 'application/octet-stream', body: new Uint8Array(bytes) });
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
