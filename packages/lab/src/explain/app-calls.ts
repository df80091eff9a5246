import { callAliases, callRows, isWorking } from '@gantry/wire';

/** Names of the calls that apps can write, `people.getViewer` and the other short forms too. */
export const appCalls: readonly string[] = [
  ...Array.from(callRows.keys()).filter((call) => callRows.get(call)?.some(isWorking)),
  ...['people.getViewer', 'people.getOwner', 'people.getViewerFriends', 'people.getOwnerFriends'],
  ...callAliases.keys(),
];
