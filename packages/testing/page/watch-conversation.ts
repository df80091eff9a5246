import type { Observe } from '@gantry/wire';

export type Conversation = ReturnType<typeof watchConversation>;

/** Follows which calls and writes of a gadget are open. */
export function watchConversation() {
  const calls = new Map<number, string>();
  const writes = new Map<string, string>();
  let messages = 0;
  return {
    observe(observed: Parameters<Observe>[0]): void {
      messages += 1;
      if (observed.kind === 'call') calls.set(observed.call, observed.operation);
      else if (observed.kind === 'reply') calls.delete(observed.call);
      else if (observed.kind === 'load' && ['start', 'end'].includes(observed.what))
        calls.clear(); // their document is gone
      else if (observed.kind === 'event' && observed.name === 'write') {
        const { id, operation, state } = observed.data as { id: string; operation: string; state: string };
        if (state === 'done') writes.delete(id);
        else writes.set(id, operation);
      }
    },
    /** Operations of calls that have no reply, in the order sent. */
    openCalls: (): readonly string[] => [...calls.values()],
    /** Operations of writes that are not done, in the order made. */
    waitingWrites: (): readonly string[] => [...writes.values()],
    /** Number of observations so far. */
    messages: () => messages,
  };
}
