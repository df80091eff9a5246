import type { BarePlace, CreateFeature } from '../place.ts';

/** Tells app and site of a write that was shown and did not come to be. What is shown is right again by then. */
export const createRollbacks: CreateFeature<BarePlace> = ({ gadget, emit, tell }) => ({
  end: gadget.onRollback((rollback) => {
    emit('rollback', rollback);
    tell('gantry-rollback', { app: gadget.context.app.id, operation: rollback.operation, error: rollback.error });
  }),
});
