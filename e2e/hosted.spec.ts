import { expect, frameOf, inEachMode, test } from './hosted.ts';

const friends = `<!doctype html><html lang="en"><title>Friends</title><p id="out"></p>
  <script src="/gantry/osapi.js"></script>
  <script>osapi.people.getViewerFriends().execute(({ list }) => { out.textContent = list.map((p) => p.displayName).join(', '); });</script>`;

test.use({ apps: { friends: { 'index.html': friends } } });

inEachMode((mode) => {
  test('an app shows data of the site, signed for the viewer (security rule 4)', async ({ show, hosted }) => {
    const page = await show('<gantry-gadget app="friends"></gantry-gadget>');
    await expect(frameOf(page, 'friends').locator('#out')).toHaveText('Bo Whelk, Cy Limpet');
    const isApart = new URL(page.frames()[1]?.url() ?? '').origin !== hosted.url;
    expect(isApart).toBe(mode !== 'opaque');
  });
});
