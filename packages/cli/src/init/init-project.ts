import { UsageError } from '@gantry/server';
import { countText } from '@gantry/wire/runtime';
import { type Project, readProject } from '../project/project.ts';
import { showDiff } from '../project/show-diff.ts';
import { writeChanges } from '../project/write-changes.ts';
import { askSite } from '../site-check/ask-site.ts';
import { checkSecrets } from '../site-check/check-secrets.ts';
import { NotWritten, type Output } from '../terminal/output.ts';
import { checkResult, lacksServer } from './check-result.ts';
import { type PlaceOptions, placeData } from './data-place.ts';
import { detectFramework } from './detect-framework.ts';
import { sitePort } from './node-source.ts';
import { type Found, type Framework, frameworks, type Plan, type PlanContext } from './plan.ts';
import { planSite } from './plan-site.ts';
import { type DataState, prepareData, readDataState } from './prepare-data.ts';
import { changeJson, dataLines, foundLine, nextLines, pasteLines } from './report.ts';

export interface InitOptions extends Pick<PlanContext, 'database' | 'newKey'>, PlaceOptions {
  /** Absolute path of the site's folder. */
  readonly folder: string;
  readonly framework?: Framework | undefined;
  readonly entry?: string | undefined;
  /** Public address, an origin. Absent: this machine, with the port in the code. */
  readonly url?: string | undefined;
  readonly json: boolean;
  readonly output: Output;
  /** Runs `gantry check` on the running site. */
  readonly checkSite: (flags: readonly string[]) => Promise<SiteCheck>;
}

/** Lines of `gantry check`: passed checks, and problems. */
export interface SiteCheck {
  readonly passed: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Adds Gantry to a project.
 *
 * @throws UsageError for a project that is not recognized, NotWritten without confirmation, other
 * errors if writing or a check failed. Files that could not all be written are unchanged.
 */
export async function initProject(options: InitOptions): Promise<void> {
  const { folder, mode, json, output } = options;
  const project = readProject(folder);
  const found = await findSite(project, options);
  const port = portOf(project, found);
  const url = options.url ?? `http://localhost:${port ?? 3000}`;
  const isGuess = options.url === undefined && port === undefined;
  const place = await placeData(project, found, options);
  const plan = planSite({ ...options, project, found, url, data: place.data });
  const state = await readDataState(plan);
  const isDone = plan.changes.length === 0 && state.missing.length === 0;
  const say = json ? () => {} : output.out;
  const { changes, kept, pastes } = plan;
  const notes = [...(place.note ? [place.note] : []), ...(isGuess ? [portNote(url)] : []), ...plan.notes];
  const report = { found, url, data: plan.data, changes: changes.map(changeJson), kept, pastes, notes };

  say(foundLine(found));
  if (changes.length > 0) say(showDiff(changes));
  for (const line of dataLines(plan, state)) say(line);
  for (const note of isDone ? notes.slice(0, place.note ? 1 : 0) : notes) say(`Note: ${note}`);
  for (const line of pastes.flatMap(pasteLines)) say(line);
  if (!isDone && !(await isConfirmed(options, plan))) {
    if (json) output.out(JSON.stringify({ ...report, written: false }));
    else say('Nothing was written.');
    if (mode === 'show') return;
    throw new NotWritten('--yes writes it.');
  }

  if (!isDone) await write(folder, plan, state);
  if (!isDone) say(`Written: ${countText(changes.length, 'file')}.`);
  else say(pastes.length > 0 ? 'Nothing to write.' : 'Nothing to do: everything is set up.');
  const byHand = pastes.map(({ path, line }) => `insert the lines above at ${path}:${line}`);
  const install = plan.signIn !== 'token' && lacksServer(folder) ? ['npm install'] : [];
  const next = [...byHand, ...install, ...plan.start];
  const own = [...(await checkResult(folder, plan)), ...(await checkSecrets({ site: url, data: plan.data, folder }))];
  const running = own.length === 0 && (await answersAt(url)) ? await options.checkSite(flagsOf(plan, url)) : undefined;
  const problems = [...own, ...(running?.problems ?? [])];
  if (json)
    output.out(JSON.stringify({ ...report, written: !isDone, checked: running ? 'site' : 'files', problems, next }));
  else if (running) for (const line of running.passed) say(line);
  else if (own.length === 0) for (const line of nextLines(plan, { next, url })) say(line);
  for (const line of problems) output.err(line);
  if (problems.length > 0) throw new Error(`Problems: ${problems.length}.`);
}

async function findSite(project: Project, { framework, entry, ask }: InitOptions): Promise<Found> {
  const found = detectFramework(project, { framework, entry });
  if (found) return found;
  const choices = `--framework ${frameworks.join('|')}`;
  if (!ask) throw new UsageError(`No framework was found in ${project.folder}. Choose one: ${choices}.`);
  const answer = (await ask(`No framework was found. Which is it: ${frameworks.join(', ')}? `)).trim();
  const chosen = frameworks.find((one) => one === answer);
  if (chosen === undefined) throw new UsageError(`${JSON.stringify(answer)} is not one of them. Nothing was changed.`);
  return detectFramework(project, { framework: chosen, entry }) ?? { framework: chosen, reason: 'your choice' };
}

/** Returns the site's port. Sites in another language are reached through their reverse proxy. */
function portOf(project: Project, { framework, entry }: Found): number | undefined {
  if (framework === 'php' || framework === 'flask' || framework === 'other') return 8080;
  return sitePort(project, entry) ?? (framework === 'next' ? 3000 : undefined);
}

function portNote(url: string): string {
  return `No port was found, neither where the scripts of package.json lead nor in the code: ${url} is a guess. Requests for another address get 421 and an empty page. Name the right one with --url, or later in GANTRY_URL.`;
}

async function isConfirmed({ mode, ask }: InitOptions, { changes }: Plan): Promise<boolean> {
  if (mode !== 'ask') return mode === 'write';
  if (!ask) return false;
  return /^\s*y(es)?\s*$/i.test(await ask(`Write ${countText(changes.length, 'file')} as shown? [y/N] `));
}

async function write(folder: string, plan: Plan, state: DataState): Promise<void> {
  const undo = writeChanges(folder, plan.changes);
  try {
    await prepareData(folder, plan, state);
  } catch (error) {
    undo();
    throw error;
  }
}

function flagsOf({ data, database }: Plan, url: string): readonly string[] {
  return ['--url', url, '--data', data, '--database', database];
}

async function answersAt(url: string): Promise<boolean> {
  const answer = await askSite(`${url}/gantry/`, { signal: AbortSignal.timeout(3_000) });
  if (answer === undefined) return false;
  return answer.status >= 400 && /^application\/json/.test(answer.headers.get('Content-Type') ?? '');
}
