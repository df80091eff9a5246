import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderSource } from '@gantry/proxy';
import { type AppFiles, fileOf, isPage } from './app-files.ts';

/** Serves a folder's files as they are, with the agent in its pages. */
export function createFolderFiles({ app, folder }: { readonly app: string; readonly folder: string }): AppFiles {
  return {
    async open({ path, headers, withAgent }) {
      const file = await folderSource.open({ app, folder, path, search: '', headers });
      if (!isPage(path)) return file;
      return fileOf(file.contentType, withAgent((await file.read()).toString()));
    },
    close: async () => {},
  };
}

/** Reads the agent for pages of apps whose files are served as they are. */
export function readAgent(): string {
  return readFileSync(join(import.meta.dirname, '..', '..', 'dist', 'agent-script', 'agent.js'), 'utf8');
}
