import { basename, dirname, resolve } from 'node:path';
import type { Scenario } from '@gantry/lab';
import type { AppFolder } from '../app-folder.ts';
import type { StoryFacts, StoryProblem } from '../story-protocol.ts';
import { loadProblem } from './load-problem.ts';
import { storyFaults } from './story-members.ts';
import type { StoryExport, StoryThread } from './story-thread.ts';

/** A story file of an app, and the result of loading it. */
export interface LoadedFile {
  readonly app: AppFolder;
  readonly file: string;
  readonly revision: number;
  readonly thread: StoryThread;
}

/** A story that can be shown. */
export interface LoadedStory {
  readonly facts: StoryFacts;
  readonly state?: unknown;
  readonly loaded: LoadedFile;
}

/** Reads the stories of a file, and the problem of each other export. */
export async function storiesOf(
  loaded: LoadedFile,
): Promise<{ readonly stories: readonly LoadedStory[]; readonly problems: readonly StoryProblem[] }> {
  const { app, file, thread } = loaded;
  const place = { app: app.id, file: basename(file) };
  if (thread.error) return { stories: [], problems: [{ ...place, ...(await loadProblem(file, thread.error)) }] };
  if (thread.exports.length === 0) {
    const message = `The file exports nothing. A story is a named export: export const empty: Story = { world: 'empty' };`;
    return { stories: [], problems: [{ ...place, message }] };
  }
  const stories: LoadedStory[] = [];
  const problems: StoryProblem[] = [];
  for (const exported of thread.exports) {
    const faults = faultsOf(exported);
    for (const message of faults) problems.push({ ...place, name: exported.name, message });
    if (faults.length === 0) stories.push(storyOf(loaded, exported));
  }
  return { stories, problems };
}

function faultsOf({ name, kind, members = {}, functions = [], unsendable = [] }: StoryExport): readonly string[] {
  if (name === 'default') return ['A default export is no story. Give it a name: export const empty: Story = { … };'];
  if (!/^[\w$-]{1,100}$/.test(name)) return ['The name of a story has at most 100 letters and digits of English.'];
  if (kind !== 'object') {
    return [`It is a ${kind}, but a story is an object: export const ${name}: Story = { world: 'empty' };`];
  }
  const odd = [...functions.filter((member) => member !== 'world'), ...unsendable];
  const faults = odd.map((member) => `${member} must be plain data${member === 'state' ? '' : ', or not be there'}.`);
  const world = functions.includes('world') ? { world: () => {} } : {};
  return [...faults, ...storyFaults({ ...members, ...world })];
}

function storyOf(loaded: LoadedFile, { name, members = {}, functions = [] }: StoryExport): LoadedStory {
  const { title, state, ...scenario } = members as Scenario & { readonly title?: string; readonly state?: unknown };
  const { app, file, revision } = loaded;
  const id = `${app.id}/${name}`;
  return {
    facts: {
      id,
      app: app.id,
      name,
      title: title ?? titleOf(name),
      file: basename(file),
      revision,
      scenario: withWorldFrom(dirname(file), scenario),
      makesWorld: functions.includes('world'),
    },
    ...(state !== undefined && { state }),
    loaded,
  };
}

/** Makes the path of a world file absolute; names of worlds stay as they are. */
export function withWorldFrom(folder: string, scenario: Scenario): Scenario {
  const { world } = scenario;
  const isPath = world !== undefined && (/^\.{0,2}[/\\]/.test(world) || /\.jsonl?$/.test(world));
  return isPath ? { ...scenario, world: resolve(folder, world) } : scenario;
}

/**
 * Makes a title of an export's name.
 *
 * @example
 * titleOf('noFriendsYet'); // 'No friends yet'
 */
export function titleOf(name: string): string {
  const words = name
    .replace(/[_$-]+/g, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, (_, before, after) => `${before} ${after.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Removes ambiguous ids: two files may export one name, and some file systems ignore case. */
export function withoutTwins(stories: readonly LoadedStory[]): {
  readonly stories: readonly LoadedStory[];
  readonly problems: readonly StoryProblem[];
} {
  const seen = new Map<string, LoadedStory>();
  const problems: StoryProblem[] = [];
  for (const story of stories) {
    const { id, app, file, name } = story.facts;
    const twin = seen.get(id.toLowerCase());
    if (!twin) seen.set(id.toLowerCase(), story);
    else {
      const where = twin.facts.file === file ? 'here' : `in ${twin.facts.file}`;
      const message = `There is a story ${twin.facts.name} ${where} already. Names of an app's stories differ in more than case.`;
      problems.push({ app, file, name, message });
    }
  }
  return { stories: [...seen.values()], problems };
}
