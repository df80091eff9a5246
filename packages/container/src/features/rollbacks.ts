import type { BarePlace } from '../gadget.ts';
import type { CreateFeature } from '../place.ts';

/**
 * Reports to app and site that an optimistic write was rolled back, when results are restored.
 *
 * @example
 * const emitted: string[] = [];
 * const emit = (name: string) => emitted.push(name);
 * const onRollback = (listener: (rollback: object) => void) => listener({});
 * const gadget = { onRollback, context: { app: { id: 'notes' } } };
 * createRollbacks({ gadget, emit, dispatch: () => true } as never);
 * emitted; // ['rollback']
 */
export const createRollbacks: CreateFeature<BarePlace> = ({ gadget, emit, dispatch }) => ({
  end: gadget.onRollback((rollback) => {
    emit('rollback', rollback);
    dispatch('gantry-rollback', { app: gadget.context.app.id, operation: rollback.operation, error: rollback.error });
  }),
});
