import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentSource } from '@gantry/proxy';
import { addApp, createGantry, type Gantry } from '@gantry/server';
import { importWorld } from '@gantry/service';
import { createRecord, type Record } from './record.ts';
import type { Scenario } from './scenario.ts';

/** An app that a lab shows. */
export interface LabApp {
  readonly id: string;
  /** Absolute path of its folder. */
  readonly folder: string;
}

export interface LabOptions {
  /** Names the lab in its record. Default: `lab`. */
  readonly name?: string;
  /** Origin at which the lab answers. */
  readonly url: string;
  readonly apps: readonly LabApp[];
  /** Content of a world file (docs/world-file.md). */
  readonly world: unknown;
  readonly scenario?: Scenario;
  readonly documents?: DocumentSource;
  readonly record?: Record;
}

/** One site in one process, with a world of its own. */
export interface Lab {
  readonly name: string;
  readonly gantry: Gantry;
  readonly record: Record;
  close(): Promise<void>;
}

/** Request header by which a page of tools says which member it shows: the lab believes it, since it listens on this machine only. */
export const personaHeader = 'Gantry-Persona';

/**
 * Makes a site with data, for tools and tests.
 *
 * @throws SocialError for a world or an app that cannot be used.
 */
export async function createLab(options: LabOptions): Promise<Lab> {
  const { name = 'lab', url, apps, world, documents, record = createRecord() } = options;
  const data = await mkdtemp(join(tmpdir(), 'gantry-lab-'));
  const gantry = await createGantry({
    data,
    database: ':memory:',
    url,
    documents,
    viewer: (request) => request.headers.get(personaHeader) ?? undefined,
  });
  async function close(): Promise<void> {
    await gantry.close();
    await rm(data, { recursive: true, force: true });
  }
  try {
    await importWorld(gantry.stores.db, world, { ...gantry.stores, folder: data });
    for (const app of apps) await addApp(gantry.stores, { ...app, trusted: true });
  } catch (error) {
    await close();
    throw error;
  }
  return { name, gantry, record, close };
}
