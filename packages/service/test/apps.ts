import { randomBytes } from 'node:crypto';
import { saveRecords } from '@gantry/service';
import type { Database } from '@gantry/store';

interface Install {
  readonly appId: string;
  readonly memberId: string;
}

/** Adds or updates an app. */
export function saveApp(db: Database, app: { readonly id: string; readonly title: string; readonly active?: boolean }) {
  return save(db, { kind: 'app', ...app });
}

/** Gives a member an app in the site's name. */
export function installApp(db: Database, install: Install & { readonly visibility?: string }): Promise<void> {
  return save(db, { kind: 'install', ...install });
}

/** Removes an app from a member in the site's name, with its AppData. */
export function uninstallApp(db: Database, install: Install): Promise<void> {
  return save(db, { kind: 'install', ...install, removed: true, removesData: true });
}

async function save(db: Database, record: object): Promise<void> {
  const options = { mediaFolder: 'none', secretKey: new Uint8Array(32), nowMs: 0, random: randomBytes };
  const saved = await saveRecords(db, [record], options);
  if ('problems' in saved) throw new Error(saved.problems[0]?.message);
}
