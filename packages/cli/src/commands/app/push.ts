import { existsSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type AuthorStatement, type KeyMay, keyMays, type PushAnswer, type VersionReport } from '@gantry/proxy';
import { type FilesPlace, readFiles, UsageError } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import { countText } from '@gantry/wire/runtime';
import { checkApp } from '../../app-check/check-app.ts';
import { findingLine } from '../../app-check/finding.ts';
import { type CommandLine, withFlags } from '../../command.ts';
import { shortVersion } from '../../registry/find-version.ts';
import { onlyApp } from '../../registry/only-app.ts';
import { openSite, siteFlags } from '../../registry/open-client.ts';
import { pushVersion } from '../../registry/push-version.ts';
import { readTests } from '../../registry/read-tests.ts';
import type { RegistryClient } from '../../registry/site-client.ts';
import { versionLines } from '../../registry/version-lines.ts';
import { sizeText } from '../../terminal/size-text.ts';
import { membersIn } from './remote.ts';

const options = {
  ...siteFlags,
  id: { type: 'string' },
  as: { type: 'string' },
  members: { type: 'string' },
  tests: { type: 'string' },
  note: { type: 'string' },
  wait: { type: 'boolean' },
  'despite-data': { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type Line = CommandLine<typeof options>;

const pollMs = 5_000;
const mostFindings = 20;

/** `gantry app push` */
export const push = withFlags({ options }, async (line) => {
  const { values, output, print, positionals } = line;
  const { as, json } = values;
  const members = membersIn(values.members);
  if (as !== undefined && !isMay(as)) throw new UsageError(`--as is one of ${keyMays.join(', ')}.`);
  const place = placeOf(positionals);
  const statement = await statementOf(place, line);
  const { source } = await readFiles(place);
  const client = await openSite(line);
  const app = await onlyApp(client, values.id);
  const { files, bytes } = source.list;
  if (!json) output.err(`${app}: ${countText(files.length, 'file')}, ${sizeText(bytes)}, to ${client.site}`);
  let announced = false;
  const pushed = await pushVersion(client, {
    ...{ app, source },
    commit: { as, members, statement, despiteData: values['despite-data'] },
    progress(sent, missing) {
      const text = `Sent ${sizeText(sent)} of ${sizeText(missing)} that ${client.site} does not have yet`;
      if (output.status) output.status(sent === missing ? '' : text);
      else if (!announced && !json && missing > 0)
        output.err(`Sending ${sizeText(missing)}, the rest is there already`);
      announced = true;
    },
  });
  const decided = values.wait && pushed.state === 'waiting' ? await untilDecided(client, pushed, line) : pushed;
  const result = { site: client.site, ...pushed, ...decided };
  print(result, [...versionLines(result), '', ...nextLines(result)].join('\n').trimEnd());
  if (decided.state === 'refused')
    throw new SocialError('CONFLICT', `The version was refused by ${decided.decidedBy}.`);
});

function isMay(text: string): text is KeyMay {
  return keyMays.some((one) => one === text);
}

/** Returns the folder or file to push. Default: `dist` if it has an app, else this folder. */
function placeOf([path, ...more]: readonly string[]): FilesPlace {
  if (more.length > 0) throw new UsageError('gantry app push takes one folder, or one file of gantry app pack.');
  if (path === undefined) return { folder: existsSync('dist/gadget.json') ? 'dist' : '.' };
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`There is no folder and no file ${path}.`);
  return stats.isDirectory() ? { folder: path } : { file: path };
}

/** Returns the author's account of a version. @throws SocialError for an app that has errors. */
async function statementOf(place: FilesPlace, { values, output, env }: Line): Promise<AuthorStatement> {
  const checked = 'folder' in place ? await checkApp(place.folder) : undefined;
  const findings = checked?.findings ?? [];
  const errors = findings.filter(({ level }) => level === 'error');
  if (errors.length > 0) {
    throw new SocialError('BAD_REQUEST', errors.map(({ what, cure }) => `${what} ${cure}`).join('\n'));
  }
  if (!values.json) for (const finding of findings) output.err(`Warning: ${findingLine(finding)}`);
  const lines = findings.slice(0, mostFindings).map((finding) => findingLine(finding).slice(0, 300));
  return {
    ...(checked && { check: { errors: 0, warnings: findings.length, findings: lines } }),
    ...(values.tests !== undefined && { tests: readTests(values.tests) }),
    ...sourceOf(env),
    ...(values.note !== undefined && { note: values.note }),
  };
}

/** Returns the address of the commit that is built, in GitHub's and GitLab's CI. */
function sourceOf(env: NodeJS.ProcessEnv): Pick<AuthorStatement, 'source'> {
  const { GITHUB_SERVER_URL: github, GITHUB_REPOSITORY: repository, GITHUB_SHA: sha } = env;
  if (github && repository && sha) return { source: `${github}/${repository}/commit/${sha}`.slice(0, 300) };
  const { CI_PROJECT_URL: project, CI_COMMIT_SHA: commit } = env;
  return project && commit ? { source: `${project}/-/commit/${commit}`.slice(0, 300) } : {};
}

async function untilDecided(client: RegistryClient, pushed: PushAnswer, { output }: Line): Promise<VersionReport> {
  output.err(`${shortVersion(pushed.version)} waits for approval. Ctrl-C stops waiting, and changes nothing.`);
  for (;;) {
    await setTimeout(pollMs);
    const report = await client.get<VersionReport>(`/apps/${pushed.app}/versions/${pushed.version}`);
    if (report.state !== 'waiting') return report;
  }
}

function nextLines({ site, app, version, state, done }: PushAnswer & { readonly site: string }): readonly string[] {
  const short = shortVersion(version);
  switch (state) {
    case 'live':
      return done === 'unchanged' ? ['It was live already.'] : [`Live at ${site}. Back: gantry app rollback ${app}`];
    case 'waiting':
      return [`To approve: gantry app approve ${app} ${short}`];
    case 'preview':
      return [`To offer it to more members: gantry app preview ${app} ${short} --members ID`];
    default:
      return [];
  }
}
