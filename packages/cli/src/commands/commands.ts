import type { Command } from '../command.ts';
import { admin } from './admin.ts';
import { app } from './app/app.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { bucket } from './bucket.ts';
import { check } from './check.ts';
import { completion } from './completion.ts';
import { consumer } from './consumer.ts';
import { create } from './create.ts';
import { dev } from './dev.ts';
import { exportSite } from './export.ts';
import { generate } from './generate.ts';
import { importFile } from './import.ts';
import { init } from './init.ts';
import { keys } from './keys.ts';
import { migrate } from './migrate.ts';
import { move } from './move.ts';
import { open } from './open.ts';
import { pictures } from './pictures.ts';
import { proxy } from './proxy.ts';
import { restoreBackup } from './restore.ts';
import { serve } from './serve.ts';
import { settings } from './settings.ts';
import { tape } from './tape/tape.ts';

/** Commands in the order of `gantry --help`. A new one is a file here and an entry. */
export const commands: readonly Command[] = [
  create,
  dev,
  open,
  pictures,
  tape,
  init,
  serve,
  proxy,
  check,
  importFile,
  exportSite,
  generate,
  app,
  audit,
  consumer,
  keys,
  settings,
  admin,
  backup,
  restoreBackup,
  migrate,
  move,
  bucket,
  completion(() => commands),
];
