import { type AppFiles, createFolderFiles, type FileEvents } from '@gantry/lab/host';
import { watchFolder } from './watch-folder.ts';

/** Serves a folder's files as they are, with the agent in its pages, and loads its gadgets anew when one changes. */
export function createLiveFolder(options: {
  readonly app: string;
  readonly folder: string;
  readonly events: FileEvents;
}): AppFiles {
  const { app, folder, events } = options;
  const stop = watchFolder(folder, (paths) => {
    for (const path of paths) events.changed(path);
    const [shown] = paths.filter(isShown);
    if (shown !== undefined) events.reload(shown);
  });
  return { ...createFolderFiles({ app, folder }), close: async () => stop() };
}

/** Returns whether a change of a file can be seen in its gadgets: not of the manifest, of stories, tests and texts for authors. */
function isShown(path: string): boolean {
  return (
    path !== 'gadget.json' &&
    !/(?:\.(?:stories|test|spec)\.[cm]?[jt]sx?|\.md|(?:^|\/)(?:package|package-lock)\.json)$/i.test(path)
  );
}
