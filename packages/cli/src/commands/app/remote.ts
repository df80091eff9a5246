import type { AppStatus, HistoryAnswer, VersionReport } from '@gantry/proxy';
import { shownDigits, UsageError } from '@gantry/server';
import { terminalText } from '@gantry/wire/runtime';
import { type Run, withFlags } from '../../command.ts';
import { findVersion } from '../../registry/find-version.ts';
import { onlyApp } from '../../registry/only-app.ts';
import { openSite, siteFlags } from '../../registry/open-client.ts';
import { versionLines } from '../../registry/version-lines.ts';
import { table } from '../../terminal/output.ts';
import { sizeText } from '../../terminal/size-text.ts';

const options = { ...siteFlags, json: { type: 'boolean' } } as const;

/** Returns a verb that works on a site elsewhere if one is named, else as `local` does. */
export function orOnSite(local: Run, remote: Run): Run {
  const run = (...[args, env, output]: Parameters<Run>) => {
    const isNamed = args.some((arg) => /^--site(=|$)/.test(arg)) || Boolean(env.GANTRY_SITE);
    return (isNamed ? remote : local)(args, env, output);
  };
  return Object.assign(run, { flags: [...new Set([...local.flags, ...remote.flags])] });
}

/** `gantry app history --site` */
export const historyOnSite = withFlags({ options }, async (line) => {
  const client = await openSite(line);
  const app = await onlyApp(client, line.positionals[0]);
  const found = await client.get<HistoryAnswer>(`/apps/${app}/history`);
  const versions = found.versions.map(({ version, label = '', state, bytes, madeAt, madeBy }) => [
    version.slice(0, shownDigits),
    ...[label, state, sizeText(bytes), madeAt, madeBy],
  ]);
  const changes = found.changes.map(({ at, actor, action, outcome, from, to, detail = '' }) => [
    ...[at, actor, outcome === 'done' ? action : `${action}, ${outcome}`],
    [from, to].flatMap((digest) => digest?.slice(0, shownDigits) ?? []).join(' → '),
    terminalText(detail.split('\n')[0] ?? ''),
  ]);
  const text = [
    table(['version', 'named', 'state', 'size', 'made', 'by'], versions, `${app} has no stored version.`),
    table(['time', 'by', 'change', 'version', 'detail'], changes, 'Nothing was changed yet.'),
  ];
  line.print(found, text.join('\n\n'));
});

const backOptions = { ...options, 'despite-data': { type: 'boolean' } } as const;

/** `gantry app rollback --site` */
export const rollbackOnSite = withFlags({ options: backOptions }, async (line) => {
  const [id, named, ...more] = line.positionals;
  if (more.length > 0) throw new UsageError('gantry app rollback takes the id of an app and a version.');
  const client = await openSite(line);
  const app = await onlyApp(client, id);
  const version = named === undefined ? undefined : await findVersion(client, app, named);
  const body = { version, despiteData: line.values['despite-data'] ?? false };
  const report = await client.post<VersionReport>(`/apps/${app}/rollback`, body);
  line.print(report, versionLines(report).join('\n'));
});

const previewOptions = { ...options, members: { type: 'string' } } as const;

/** `gantry app preview --site` */
export const previewOnSite = withFlags({ options: previewOptions }, async (line) => {
  const [id, named, ...more] = line.positionals;
  const members = membersIn(line.values.members);
  if (id === undefined || named === undefined || more.length > 0 || members === undefined) {
    throw new UsageError('gantry app preview takes the id of an app, a version and --members. Files come by push.');
  }
  const client = await openSite(line);
  const version = await findVersion(client, id, named);
  const report = await client.post<VersionReport>(`/apps/${id}/versions/${version}/preview`, { members });
  line.print({ ...report, members }, versionLines(report).join('\n'));
});

/** `gantry app pause --site` */
export const pauseOnSite = switching('pause');
/** `gantry app resume --site` */
export const resumeOnSite = switching('resume');

function switching(verb: 'pause' | 'resume'): Run {
  return withFlags({ options }, async (line) => {
    const client = await openSite(line);
    const app = await onlyApp(client, line.positionals[0]);
    const { state } = await client.post<AppStatus>(`/apps/${app}/${verb}`, {});
    line.print({ id: app, state }, `${app} is ${state} at ${client.site}.`);
  });
}

/** Returns the ids in a list with commas. */
export function membersIn(list: string | undefined): readonly string[] | undefined {
  return list?.split(',').map((member) => member.trim());
}
