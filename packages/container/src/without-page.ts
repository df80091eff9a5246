/** Parts of the container that need no page, for hosts of tools in Node. Not for sites. */
export { budgetsWith } from './budgets.ts';
export { createErrors } from './chrome/errors.ts';
export { createTitle } from './chrome/title.ts';
export { checkView } from './chrome/view-address.ts';
export { readNames } from './consent/request.ts';
export { followChanges } from './event-stream.ts';
export { createRollbacks } from './features/rollbacks.ts';
export { createWriteReports } from './features/writes.ts';
export { forgetOthers, getState, type Spot, setState } from './instance-state.ts';
export type { Messages } from './messages/messages.ts';
export type { Action, BarePlace, CreateFeature, Feature } from './place.ts';
export { type AppLoad, type LoadEnd, startApp } from './start-app.ts';
export { topOf } from './view-name.ts';
