import { expect, test } from 'vitest';
import { appName } from '../../src/consent/app-name.ts';
import { createSetting } from '../setting.ts';

test('apps of one name are shown with the id that the site gave them', async () => {
  const { network, newPage, mount } = createSetting();
  const titles: Record<string, string> = {
    chess: 'Chess',
    trap: 'ＣＨＥＳＳ\u200b',
    song: 'שירה',
    sung: 'שירה',
    notes: 'Notes',
  };
  network.title = (app) => titles[app] ?? app;
  const page = newPage();
  const gadgets = await Promise.all([...Object.keys(titles), 'notes'].map((app) => mount(page, app)));
  expect(gadgets.map(appName)).toEqual([
    'Chess (chess)',
    'ＣＨＥＳＳ (trap)',
    '\u2068שירה\u2069 (song)',
    '\u2068שירה\u2069 (sung)',
    'Notes',
    'Notes', // a second gadget of the same app
  ]);
});
