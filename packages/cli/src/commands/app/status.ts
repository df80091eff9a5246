import type { AppStatus } from '@gantry/proxy';
import { isolatedName } from '@gantry/wire';
import { withFlags } from '../../command.ts';
import { onlyApp } from '../../registry/only-app.ts';
import { siteFlags } from '../../registry/open-client.ts';
import { versionTitle } from '../../registry/version-lines.ts';
import { appFlags } from './app-stores.ts';
import { withRegistry } from './with-registry.ts';

/** `gantry app status` */
export const status = withFlags({ options: { ...appFlags, ...siteFlags } }, async (line) => {
  const [id] = line.positionals;
  await withRegistry(line, id, async (client) => {
    const app = await onlyApp(client, id);
    const found = await client.get<AppStatus>(`/apps/${app}`);
    line.print(found, linesOf(found).join('\n'));
  });
});

function linesOf({ app, name, state, live, waiting, previews }: AppStatus): readonly string[] {
  const states = { active: 'active', paused: 'paused', unknown: 'not registered' };
  return [
    `${app}${name === undefined ? '' : `: ${isolatedName(name)}`}, ${states[state]}`,
    `  live     ${live ? `${versionTitle(live)}, made ${live.madeAt} by ${live.madeBy}` : 'no version'}`,
    ...waiting.map((one) => `  waits    ${versionTitle(one)}, made ${one.madeAt} by ${one.madeBy}`),
    ...previews.map((one) => `  preview  ${versionTitle(one)}, made ${one.madeAt} by ${one.madeBy}`),
  ];
}
