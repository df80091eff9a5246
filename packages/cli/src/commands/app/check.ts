import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import { checkApp } from '../../check-app.ts';
import type { Output } from '../../output.ts';
import { appFlags } from './open.ts';
import { permissionLines } from './permission-lines.ts';

/** `gantry app check FOLDER` */
export async function check(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: appFlags, allowPositionals: true });
  const [folder] = positionals;
  if (!folder) throw new UsageError('gantry app check needs a folder.');
  const { errors, warnings, name, asks, mayAsk } = await checkApp(resolve(folder), {
    appsHost: env.GANTRY_APPS_HOST,
  });
  if (values.json) output.out(JSON.stringify({ errors, warnings, name, asks, mayAsk }));
  else {
    if (name !== undefined) {
      output.out(asks.length > 0 ? `Members are asked to let ${name}:` : `${name} asks members for nothing.`);
      for (const line of permissionLines(asks)) output.out(line);
      if (mayAsk.length > 0) output.out('While it runs it may ask them to let it:');
      for (const line of permissionLines(mayAsk)) output.out(line);
    }
    for (const warning of warnings) output.err(`Warning: ${warning}`);
    if (errors.length === 0) output.out('It can be registered: gantry app add.');
  }
  if (errors.length > 0) throw new SocialError('BAD_REQUEST', errors.join('\n'));
}
