import { Worker } from 'node:worker_threads';

/** An export of a story file, as its thread describes it. */
export interface StoryExport {
  readonly name: string;
  /** `object` for one that may be a story. */
  readonly kind: string;
  readonly members?: Readonly<Record<string, unknown>>;
  /** Members that are functions. */
  readonly functions?: readonly string[];
  /** Members that are neither plain data nor functions. */
  readonly unsendable?: readonly string[];
}

export interface ThreadError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

export type WorkerMessage =
  | { readonly type: 'loaded'; readonly files: readonly string[]; readonly exports: readonly StoryExport[] }
  | { readonly type: 'failed'; readonly files: readonly string[]; readonly error: ThreadError }
  | {
      readonly type: 'world';
      readonly number: number;
      readonly json?: string | undefined;
      readonly error?: ThreadError;
    };

/** Requests the world of an export from the thread. */
export interface ToWorker {
  readonly name: string;
  readonly number: number;
}

/** A story file, or the error of loading it. */
export interface StoryThread {
  readonly exports: readonly StoryExport[];
  /** The file and the author's modules that it imports: changes reload its stories. */
  readonly files: readonly string[];
  readonly error?: ThreadError;
  /**
   * Runs the function that makes the world of an export.
   *
   * @returns Its result, after a round trip through JSON.
   * @throws Error with the thread's stack if it throws, or takes longer than ten seconds.
   */
  makeWorld(name: string): Promise<unknown>;
  close(): Promise<void>;
}

const patienceMs = 10_000;

/**
 * Loads a story file in a thread of its own: without modules of earlier loads, and isolated from
 * endless loops and `process.exit`. Its output goes to standard error.
 */
export async function loadStoryThread(
  file: string,
  options: { readonly loadMs?: number; readonly worldMs?: number } = {},
): Promise<StoryThread> {
  const { loadMs = patienceMs, worldMs = patienceMs } = options;
  const script = import.meta.url.endsWith('.ts') ? './story-worker.ts' : './story-worker.js';
  const worker = new Worker(new URL(script, import.meta.url), { workerData: { file }, stdout: true });
  worker.stdout.pipe(process.stderr, { end: false });
  worker.unref();
  const waiting = new Map<number, (message: WorkerMessage) => void>();
  let ended: ThreadError | undefined;
  let number = 0;
  const loaded = Promise.withResolvers<WorkerMessage>();
  worker.on('message', (message: WorkerMessage) => {
    if (message.type === 'world') waiting.get(message.number)?.(message);
    else loaded.resolve(message);
  });
  worker.on('error', (error: Error) => end({ name: error.name, message: error.message, stack: error.stack ?? '' }));
  worker.on('exit', () => end({ name: 'Error', message: 'The file ended its process.', stack: '' }));

  function end(error: ThreadError): void {
    ended ??= error;
    loaded.resolve({ type: 'failed', files: [file], error: ended });
    for (const [number, settle] of waiting) settle({ type: 'world', number, error: ended });
  }
  async function within<Result>(limitMs: number, what: string, work: Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => {
      end({ name: 'Error', message: `${what} has not ended after ${limitMs / 1_000} s.`, stack: '' });
      void worker.terminate();
    }, limitMs);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  const message = await within(loadMs, 'The file', loaded.promise);
  const close = async (): Promise<void> => void (await worker.terminate());
  const hasWorlds = message.type === 'loaded' && message.exports.some(({ functions }) => functions?.includes('world'));
  if (!hasWorlds) await close();
  return {
    exports: message.type === 'loaded' ? message.exports : [],
    files: message.type === 'world' ? [file] : message.files,
    ...(message.type === 'failed' && { error: message.error }),
    async makeWorld(name) {
      number += 1;
      const request: ToWorker = { name, number };
      const { promise, resolve } = Promise.withResolvers<WorkerMessage>();
      waiting.set(request.number, resolve);
      if (ended) end(ended);
      else worker.postMessage(request);
      const made = await within(worldMs, 'The function', promise);
      waiting.delete(request.number);
      if (made.type !== 'world') return undefined;
      if (made.error) throw Object.assign(new Error(made.error.message), { stack: made.error.stack });
      return made.json === undefined ? undefined : JSON.parse(made.json);
    },
    close,
  };
}
