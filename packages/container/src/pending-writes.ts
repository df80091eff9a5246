import type { PendingWrite } from './optimistic.ts';
import type { Asked } from './scope.ts';

export type { PendingWrite };

/**
 * Writes that the site has not confirmed, in their order. Results are kept as the site gave them, and the writes are laid
 * over them anew each time one is shown: so a write that fails is gone without a trace, whatever happened meanwhile.
 */
export interface PendingWrites {
  /** What a read shows; `base` itself where no write touches it. */
  over(read: Asked, base: unknown): unknown;
  add(write: PendingWrite): void;
  remove(matches: (write: PendingWrite) => boolean): void;
  /** The value of a result now that the site answered the write. */
  done(write: PendingWrite, result: Asked & { readonly value: unknown }, answer: unknown): unknown;
  /** Fetches what writes are laid over results with. Until then results stay as they are. Never rejects. */
  load(): Promise<void>;
}

export function createPendingWrites(): PendingWrites {
  const pending = new Set<PendingWrite>();
  let withWrite: typeof import('./optimistic.ts').withWrite = (_write, _read, value) => value;
  let loading: Promise<void> | undefined;

  return {
    over(read, base) {
      let shown = base;
      for (const write of pending) shown = withWrite(write, read, shown);
      return shown;
    },
    add: (write) => void pending.add(write),
    remove(matches) {
      for (const write of pending) if (matches(write)) pending.delete(write);
    },
    done: (write, result, answer) => withWrite(write, result, result.value, answer),
    load() {
      loading ??= import('./optimistic.ts').then(
        (part) => {
          withWrite = part.withWrite;
        },
        () => {
          loading = undefined; // the next write tries again
        },
      );
      return loading;
    },
  };
}
