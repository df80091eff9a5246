import { type AppFiles, createFolderFiles, type FileEvents } from '@gantry/lab/host';
import { watchFolder } from './watch-folder.ts';

/** Serves a folder's files with the agent in its pages, and reloads its gadgets on change. */
export async function createLiveFolder(options: {
  readonly app: string;
  readonly folder: string;
  readonly events: FileEvents;
  readonly poll?: boolean | undefined;
}): Promise<AppFiles> {
  const { app, folder, events, poll } = options;
  const onChange = (paths: readonly string[]): void => {
    for (const path of paths) events.changed(path);
    const [page] = paths.filter(isShown);
    if (page !== undefined) events.reload(page);
  };
  const close = await watchFolder(folder, onChange, { poll });
  return { ...createFolderFiles({ app, folder }), close };
}

/** Returns whether a file may affect its gadgets: not manifest, stories, tests or docs. */
function isShown(path: string): boolean {
  return (
    path !== 'gadget.json' &&
    !/(?:\.(?:stories|test|spec)\.[cm]?[jt]sx?|\.md|(?:^|\/)(?:package|package-lock)\.json)$/i.test(path)
  );
}
