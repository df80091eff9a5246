import { appError } from './app-error.ts';

/** Calls methods by name at the other end of a port. */
export interface Remote {
  /**
   * `answer` hears the method's value once, or a reply that says INTERNAL where the other side threw.
   *
   * @throws DataCloneError for arguments that cannot cross the port.
   */
  call(name: string, args: readonly unknown[], answer: (value: unknown) => void): void;
  /** Takes a message of the port. What answers no call is ignored. */
  hear(message: unknown): void;
}

/**
 * Sends what Comlink's `wrap` sends for a call, and nothing else of it: no proxies, no promise for each message.
 *
 * @see docs/decisions/0011-comlinks-messages-without-comlink.md
 */
export function createRemote(port: MessagePort): Remote {
  const waiting = new Map<string, (value: unknown) => void>();
  let lastId = 0;

  return {
    call(name, args, answer) {
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
    hear(message) {
      const { id, type, value } = message as { readonly id: string; readonly type: string; readonly value: unknown };
      const answer = waiting.get(id);
      waiting.delete(id);
      answer?.(type === 'RAW' ? value : { error: appError('INTERNAL', 'The container could not answer.') });
    },
  };
}
