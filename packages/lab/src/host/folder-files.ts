import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderSource } from '@gantry/proxy';
import { type AppFiles, fileOf, isPage } from './app-files.ts';

/**
 * Serves a folder's files as they are, with the agent in its pages.
 *
 * @example
 * const files = createFolderFiles({ app: 'notes', folder: 'demo/apps/notes' });
 * const withAgent = (html: string) => `${html}<!-- agent -->`;
 * const request = { path: 'index.html', search: '', headers: new Headers(), withAgent };
 * const page = await files.open(request);
 * (await page.read()).toString().endsWith('<!-- agent -->'); // true
 */
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

/**
 * Reads the built agent, a classic script for pages that no bundler serves.
 *
 * @example
 * readAgent().includes('gantry-agent'); // true
 */
export function readAgent(): string {
  return readFileSync(join(import.meta.dirname, '..', '..', 'dist', 'agent-script', 'agent.js'), 'utf8');
}
