import { appError } from './app-error.ts';

/** Calls methods by name at the other end of a port. */
export type Remote = ReturnType<typeof createRemote>;

/**
 * Sends calls in the message format of Comlink's `wrap`, without its proxies and promises.
 *
 * @see docs/decisions/0011-comlinks-messages-without-comlink.md
 */
export function createRemote(port: MessagePort) {
  const waiting = new Map<string, ((value: unknown) => void) | undefined>();
  let lastId = 0;

  return {
    /**
     * Calls a method. `answer` gets its value, or an INTERNAL error if it threw.
     *
     * @throws DataCloneError if the arguments cannot be cloned.
     */
    call(name: string, args: readonly unknown[], answer?: (value: unknown) => void): void {
      lastId += 1;
      const id = String(lastId);
      port.postMessage({
        id,
        type: 'APPLY',
        path: [name],
        argumentList: args.map((value) => ({ type: 'RAW', value })),
      });
      waiting.set(id, answer);
    },
    /** Handles a message of the port. Ignores those that belong to no call. */
    receive(message: unknown): void {
      const { id, type, value } = message as { readonly id: string; readonly type: string; readonly value: unknown };
      const answer = waiting.get(id);
      waiting.delete(id);
      answer?.(type === 'RAW' ? value : { error: appError('INTERNAL', 'The container could not answer.') });
    },
  };
}
