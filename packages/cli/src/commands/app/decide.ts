import type { AppStatus, VersionReport } from '@gantry/proxy';
import { UsageError } from '@gantry/server';
import { askYes } from 'create-gantry';
import { type CommandLine, type Run, withFlags } from '../../command.ts';
import { findVersion, shortVersion } from '../../registry/find-version.ts';
import { onlyApp } from '../../registry/only-app.ts';
import { siteFlags } from '../../registry/open-client.ts';
import type { RegistryClient } from '../../registry/site-client.ts';
import { versionLines } from '../../registry/version-lines.ts';
import { appFlags } from './app-stores.ts';
import { withRegistry } from './with-registry.ts';

const options = {
  ...appFlags,
  ...siteFlags,
  yes: { type: 'boolean' },
  reason: { type: 'string' },
  'despite-data': { type: 'boolean' },
} as const;

type Line = CommandLine<typeof options>;

/** `gantry app approve` */
export const approve = decision('approve', ({ values }) => {
  if (values.reason !== undefined) throw new UsageError('--reason is for gantry app refuse.');
  return { despiteData: values['despite-data'] ?? false };
});

/** `gantry app refuse` */
export const refuse = decision('refuse', ({ values: { reason } }) => ({ reason }));

function decision(verb: 'approve' | 'refuse', bodyOf: (line: Line) => object): Run {
  return withFlags({ options }, async (line) => {
    const { values, positionals, print, output } = line;
    const [id, named, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`gantry app ${verb} takes the id of an app and a version.`);
    const body = bodyOf(line);
    await withRegistry(line, id, async (client) => {
      const app = await onlyApp(client, id);
      const version = named === undefined ? await waitingIn(client, app) : await findVersion(client, app, named);
      const report = await client.get<VersionReport>(`/apps/${app}/versions/${version}`);
      if (!values.yes) {
        for (const line of versionLines(report)) output.err(line);
        await confirm(`${verb === 'approve' ? 'Make it live' : 'Refuse it'} for ${app}?`);
      }
      const decided = await client.post<VersionReport>(`/apps/${app}/versions/${version}/${verb}`, body);
      const done = verb === 'approve' ? 'is live' : 'was refused';
      print(decided, `${shortVersion(version)} of ${app} ${done}.`);
    });
  });
}

/** Returns the only version that waits. @throws UsageError */
async function waitingIn(client: RegistryClient, app: string): Promise<string> {
  const { waiting } = await client.get<AppStatus>(`/apps/${app}`);
  const [only, ...more] = waiting;
  if (only && more.length === 0) return only.version;
  const names = waiting.map(({ version }) => shortVersion(version)).join(', ');
  throw new UsageError(only ? `Several versions of ${app} wait: name one of ${names}.` : `No version of ${app} waits.`);
}

async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError('Nothing was changed: confirm with --yes.');
  if (!(await askYes(question))) throw new UsageError('Nothing was changed.');
}
