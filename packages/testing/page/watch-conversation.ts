import type { Observe } from '@gantry/wire';

/** Open calls and writes of one gadget. */
export interface Conversation {
  readonly observe: Observe;
  /** Operations of calls that have no reply, in the order sent. */
  openCalls(): readonly string[];
  /** Operations of writes that are not done, in the order made. */
  waitingWrites(): readonly string[];
  /** Number of observations so far. */
  messages(): number;
}

/** Follows which calls and writes of a gadget are open. */
export function watchConversation(): Conversation {
  const calls = new Map<number, string>();
  const writes = new Map<string, string>();
  let messages = 0;
  return {
    observe(observed) {
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
    openCalls: () => [...calls.values()],
    waitingWrites: () => [...writes.values()],
    messages: () => messages,
  };
}
