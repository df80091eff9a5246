import type { BarePlace } from '../gadget.ts';
import type { CreateFeature } from '../place.ts';

/** Reports to app and site that an optimistic write was rolled back, when results are restored. */
export const createRollbacks: CreateFeature<BarePlace> = ({ gadget, emit, dispatch }) => ({
  end: gadget.onRollback((rollback) => {
    emit('rollback', rollback);
    dispatch('gantry-rollback', { app: gadget.context.app.id, operation: rollback.operation, error: rollback.error });
  }),
});
