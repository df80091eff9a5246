import { realpathSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import type { LabApp, LabEvent } from '@gantry/lab';
import type { AppFiles, FileEvents } from '@gantry/lab/host';
import { appIds, pagesOf } from '@gantry/lab/host';
import { loadVite, needsVite } from '@gantry/lab/host/vite';
import { UsageError } from '@gantry/server';
import type { AppFolder } from './app-folder.ts';
import { createAppManifest } from './app-manifest.ts';
import type { BuildProblem, HotApp } from './protocol.ts';
import { openRemoteApp, type RemoteApp } from './remote-app.ts';
import { createLiveFolder } from './sources/live-folder.ts';
import { createViteFiles, type ViteFiles } from './sources/vite-files.ts';

export interface AppEvents {
  /** Adds to the record. */
  happened(app: string, event: LabEvent): void;
  /** Gadgets of an app must reload. */
  reload(app: string, why: string): void;
  /** A build failed, or works again. */
  build(app: string, problem: BuildProblem | undefined): void;
  /** The manifest of an app changed. Its gadgets reload after this. */
  manifest(app: LabApp): Promise<unknown>;
  /** A file of an app was written, made or removed; its path is relative to the folder. */
  changed(app: string, path: string): void;
}

interface OpenApp {
  readonly id: string;
  readonly lab: () => LabApp;
  readonly files?: AppFiles & Partial<ViteFiles>;
  problem?: BuildProblem;
}

/**
 * Opens folders and addresses of apps.
 *
 * @param options.wanted Folders with a `gadget.json`, or http addresses of dev servers.
 * @param options.pathOf Path of an app's files on the dev host, with a slash at its end.
 * @throws UsageError for a folder that is none, and for a server that an app cannot be shown from.
 */
export async function openDevApps(options: {
  readonly wanted: readonly string[];
  readonly pathOf: (app: string) => string;
  readonly events: AppEvents;
  readonly poll?: boolean | undefined;
}) {
  const { wanted, pathOf, events, poll } = options;
  const remotes = await Promise.all(wanted.filter(isAddress).map((address) => openRemoteApp(address)));
  const folders = [...new Set(wanted.filter((one) => !isAddress(one)).map(folderAt))];
  const ids = appIds(folders);
  const apps = new Map<string, OpenApp>();
  for (const remote of remotes) apps.set(freeId(remote.id, ids), remoteAt(remote, freeId(remote.id, ids)));
  try {
    for (const [index, folder] of folders.entries()) {
      const id = ids[index] as string;
      apps.set(id, await openFolder(id, folder));
    }
  } catch (error) {
    await close();
    throw error;
  }

  async function openFolder(id: string, folder: string): Promise<OpenApp> {
    const manifest = createAppManifest(folder);
    const first = await manifest.read();
    if (first.event && 'problem' in first.event) events.happened(id, first.event);
    const pages = manifest.current ? pagesOf(manifest.current) : ['index.html'];
    const lab = (): LabApp => ({ id, folder, ...(manifest.current && { manifest: manifest.current }) });
    const fileEvents: FileEvents = {
      changed(path) {
        events.changed(id, path);
        if (manifest.concerns(path)) void readAgain();
      },
      reload: (why) => events.reload(id, why),
    };
    async function readAgain(): Promise<void> {
      const { event, isChanged } = await manifest.read();
      if (event) events.happened(id, event);
      if (!isChanged) return;
      await events.manifest(lab());
      events.reload(id, 'gadget.json');
    }
    const opened: OpenApp = {
      id,
      lab,
      files: await openFiles(id, folder, pages, fileEvents, (problem) => tell(problem)),
    };
    function tell(problem: BuildProblem | undefined): void {
      if (problem) opened.problem = problem;
      else delete opened.problem;
      events.build(id, problem);
    }
    return opened;
  }

  async function openFiles(
    app: string,
    folder: string,
    pages: readonly string[],
    fileEvents: FileEvents,
    tellBuild: (problem: BuildProblem | undefined) => void,
  ): Promise<AppFiles> {
    if (!(await needsVite(folder, pages))) return createLiveFolder({ app, folder, events: fileEvents, poll });
    const vite = await loadVite(folder);
    return createViteFiles({ vite, app, folder, base: pathOf(app), pages, events: fileEvents, tellBuild, poll });
  }

  async function close(): Promise<void> {
    await Promise.all([...apps.values()].map(({ files }) => files?.close()));
  }

  return {
    /** All apps, those with an invalid manifest too. */
    get all(): readonly LabApp[] {
      return [...apps.values()].map(({ lab }) => lab());
    },
    /** Apps that have a folder here. */
    folders: folders.map((folder, index): AppFolder => ({ id: ids[index] as string, folder })),
    /** Origins of apps that have a server of their own. */
    remoteOrigins: remotes.map(({ url }) => new URL(url).origin),
    get hot(): Readonly<Record<string, HotApp>> {
      const facts = [...apps.values()].map(({ id, files, problem }): [string, HotApp] => [
        id,
        { ...(files?.socket !== undefined && { socket: files.socket }), ...(problem && { problem }) },
      ]);
      return Object.fromEntries(facts);
    },
    filesOf: (app: string): AppFiles | undefined => apps.get(app)?.files,
    /** Passes an upgrade request to an app's builder. @returns False if none has that address. */
    upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): boolean {
      const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost');
      const [app] = [...apps.values()].filter(({ id, files }) => files?.upgrade && pathOf(id) === pathname);
      const token = app?.files?.socket && new URL(app.files.socket, 'http://localhost').searchParams.get('token');
      if (!token || searchParams.get('token') !== token || !app.files?.upgrade) return false;
      app.files.upgrade(incoming, socket, head);
      return true;
    },
    close,
  };
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function folderAt(path: string): string {
  const folder = resolve(path);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) throw new UsageError(`There is no folder ${folder}.`);
  return realpathSync(folder);
}

function freeId(id: string, taken: readonly string[]): string {
  return taken.includes(id) ? `${id}-remote` : id;
}

function remoteAt({ url, manifest }: RemoteApp, id: string): OpenApp {
  const app: LabApp = { id, url, title: manifest.name, manifest };
  return { id, lab: () => app };
}
