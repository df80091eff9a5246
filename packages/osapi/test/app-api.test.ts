import { SocialError } from '@gantry/wire';
import { expect, test } from 'vitest';
import { connect, context } from '../../bridge/test/page.ts';
import { createAppApi } from '../src/create-app-api.ts';
import { createGadgets } from '../src/create-gadgets.ts';

function open() {
  const acted: unknown[][] = [];
  const style = new Map<string, string>();
  const names = ['ui.toast', 'views.navigate', 'setTitle', 'left'];
  const { connection: app, container: host } = connect({
    context: { ...context, view: 'canvas.map', views: ['home', 'canvas'], params: { tab: '2' } },
    actions: new Map(
      names.map((name) => [
        name,
        (...args: unknown[]) => {
          if (args[0] === 'lobby') throw new SocialError('BAD_REQUEST', 'There is no such view.');
          acted.push([name, ...args]);
        },
      ]),
    ),
  });
  const root = { style: { setProperty: (name: string, value: string) => style.set(name, value) } };
  const gantry = createAppApi(app, root as unknown as HTMLElement);
  return { gantry, gadgets: createGadgets(app, undefined, gantry), app, host, acted, style };
}

test('the theme is CSS variables of the app’s root, and follows the site (ADR 18)', async () => {
  const { gantry, app, host, style } = open();
  await app.welcome;
  expect(style.get('--gantry-surface')).toBe('rgb(255, 255, 255)');
  const dark = { ...context, theme: { ...context.theme, scheme: 'dark', surface: 'rgb(0, 0, 0)' } };
  const heard = new Promise((resolve) => gantry.on('context', resolve));
  host.emit('context', dark);
  expect(await heard).toEqual(dark);
  expect([style.get('--gantry-surface'), style.get('--gantry-scheme')]).toEqual(['rgb(0, 0, 0)', 'dark']);
  expect(gantry.context).toEqual(dark);
});

test('the app reports that it can be unloaded when all its listeners have settled (ADR 18)', async () => {
  const { gantry, app, host, acted } = open();
  await app.welcome;
  const saved = Promise.withResolvers<void>();
  gantry.on('teardown', () => saved.promise);
  gantry.on('teardown', () => {
    throw new Error('an app’s own mistake');
  });
  gantry.on('teardown', () => expect.unreachable())();
  host.emit('teardown', {});
  await app.act('setTitle', 'still here');
  expect(acted).toEqual([['setTitle', 'still here']]);
  saved.resolve();
  await expect.poll(() => acted.at(-1)).toEqual(['left']);
});

test('methods run the container’s actions; refused ones reject, and missing ones are undefined', async () => {
  const { gantry, app, acted } = open();
  await app.welcome;
  await gantry.ui.toast('Saved', { kind: 'success' });
  expect(acted).toEqual([['ui.toast', 'Saved', { kind: 'success' }]]);
  await expect(gantry.views.navigate('lobby')).rejects.toMatchObject({ code: 400 });
  expect(gantry.ui.confirm).toBeUndefined();
});

test('gadgets.views knows view and parameters, and navigates by name or view (app surface)', async () => {
  const { gadgets, app, acted } = open();
  await app.welcome;
  expect(gadgets.views.getCurrentView().getName()).toBe('canvas.map');
  expect(gadgets.views.getParams()).toEqual({ tab: '2' });
  expect(Object.keys(gadgets.views.getSupportedViews())).toEqual(['home', 'canvas']);
  gadgets.views.requestNavigateTo('canvas.foo', { a: '1' });
  gadgets.views.requestNavigateTo(gadgets.views.getSupportedViews().home as { getName(): string });
  gadgets.window.setTitle('Map');
  await app.act('ui.toast');
  expect(acted.slice(0, 3)).toEqual([
    ['views.navigate', 'canvas.foo', { a: '1' }],
    ['views.navigate', 'home', undefined],
    ['setTitle', 'Map'],
  ]);
});

test('bind fills a template, encoded, and takes defaults (app surface)', () => {
  const { gadgets } = open();
  expect(gadgets.views.bind('/a/{id}?q={text=none}&r={x=1}', { id: 'ä/b', text: 'c&d' })).toBe(
    '/a/%C3%A4%2Fb?q=c%26d&r=1',
  );
});
