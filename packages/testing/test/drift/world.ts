import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Scenario, scenarios } from './scenarios.ts';

export const appId = 'drift';
export const consumer = { key: 'drift-consumer-key', secret: 'drift-consumer-secret' };

/** Ids of a scenario's own members: nothing that it does is seen by another. */
export function membersOf(scenario: Scenario): readonly [me: string, friend: string, other: string, stranger: string] {
  const number = scenarios.indexOf(scenario);
  return [`me-${number}`, `friend-${number}`, `other-${number}`, `stranger-${number}`];
}

const posted = '2026-05-01T09:30:00Z';

/** A site with the same four members for each scenario. */
export const world = {
  site: { name: 'Drift' },
  members: scenarios.flatMap((scenario) =>
    membersOf(scenario).map((id) => ({
      ...{ id, displayName: `Name of ${id}`, birthday: '1990/05/21', region: 'Kent', gender: 'female' },
      visibility: { birthday: 'friends' },
    })),
  ),
  friendships: scenarios.flatMap((scenario) => {
    const [me, friend, other] = membersOf(scenario);
    return [
      [me, friend],
      [me, other],
    ];
  }),
  apps: [{ id: appId, title: 'Drift', url: 'https://drift.example/' }],
  installs: scenarios.flatMap((scenario) =>
    membersOf(scenario)
      .slice(0, 2)
      .map((memberId) => ({ appId, memberId })),
  ),
  consumers: [{ ...consumer, kind: 'app', appId }],
  activities: scenarios.map((scenario, number) => ({
    ...{ id: `post-${number}`, userId: membersOf(scenario)[1], title: 'is painting the boat', postedTime: posted },
  })),
  appData: scenarios.map((scenario) => ({ appId, memberId: membersOf(scenario)[1], data: { shared: 'by a friend' } })),
  albums: scenarios.map((scenario, number) => ({
    ...{ id: `album-${number}`, ownerId: membersOf(scenario)[0], title: 'The boat', description: '' },
  })),
};

const manifest = {
  name: 'Drift',
  page: 'index.html',
  uses: [
    'people.get',
    'appdata.get',
    'appdata.update',
    'appdata.delete',
    'activities.get',
    'activities.create',
    'albums.get',
    'mediaItems.get',
  ],
  fields: ['birthday'],
};

const page = `<!doctype html><script src="/gantry/osapi.js"></script><script type="module">
  import { runScenario } from './scenarios.js';
  const { params } = await osapi.ready;
  runScenario({ osapi, gadgets, gantry }, params);
</script>`;

/** Writes the app that runs scenarios in its frame. Returns its folder. */
export async function writeApp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-drift-'));
  const source = await readFile(join(import.meta.dirname, 'scenarios.ts'), 'utf8');
  await writeFile(join(folder, 'gadget.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'scenarios.js'), stripTypeScriptTypes(source));
  return folder;
}
