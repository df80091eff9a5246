import { operations } from '@gantry/wire';

/** Names of the calls that apps can write, `people.getViewer` and the other short forms too. */
export const appCalls: readonly string[] = [
  ...new Set(
    Object.values(operations)
      .filter(({ status }) => status === 'works')
      .map(({ osapi }) => osapi),
  ),
  ...['people.getViewer', 'people.getOwner', 'people.getViewerFriends', 'people.getOwnerFriends'],
  ...['appdata.create', 'mediaitems.get'],
];
