/** Parts of the container that need no page, for hosts of tools in Node. Not for sites. */

export { createErrors } from './chrome/errors.ts';
export { createTitle } from './chrome/title.ts';
export { checkView } from './chrome/view-address.ts';
export { topOf } from './chrome/view-name.ts';
export { readNames } from './consent/request.ts';
export { startApp } from './element/start-app.ts';
export { followChanges } from './events/stream.ts';
export { createRollbacks } from './features/rollbacks.ts';
export { createWriteReports } from './features/writes.ts';
export type { Action, BarePlace } from './gadget.ts';
export type { LoadEnd } from './gadget-state.ts';
export { forgetOthers, getState, type HostedGadget, setState } from './instance-state.ts';
export { budgetsWith } from './load/budgets.ts';
export type { Messages } from './messages/messages.ts';
export type { AppLoad, CreateFeature, Feature } from './place.ts';
