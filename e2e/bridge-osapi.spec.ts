import { expect, test } from '@gantry/testing';
import { writeApp } from './write-app.ts';

const sdk = '<script src="/gantry/osapi.js"></script>';
const content = '<main id="content"></main>';
const parseTime = `<!doctype html><title>App</title>${sdk}<script>
  globalThis.seen = [typeof osapi.people.getViewer, typeof gadgets.window.adjustHeight, location.hash];
  gadgets.util.registerOnLoadHandler(() => { seen.push(document.readyState); throw new Error('of one handler'); });
  gadgets.util.registerOnLoadHandler(() => seen.push('second handler'));
  osapi.people.getViewer().execute(({ id, displayName }) => seen.push({ id, displayName }));
</script>${content}`;
const fullHeight = `<!doctype html><style>html,body{height:100%;margin:0}</style>${sdk}${content}`;

/** Apps whose documents define their height in three ways, and the height of their margins. */
const documents = {
  standard: { page: parseTime, margins: 16, mode: 'CSS1Compat' },
  quirks: { page: `${sdk}<body>${content}`, margins: 16, mode: 'BackCompat' },
  'full-height': { page: fullHeight, margins: 0, mode: 'CSS1Compat' },
};
const apps = Object.entries(documents).map(([id, { page }]) => writeApp(id, { 'index.html': page }));
test.use({ apps, world: 'friendly' });
const throwing = test.extend({ expectedErrors: [['of one handler'], { scope: 'test' }] });

throwing(
  'osapi and gadgets exist while the document is parsed; handlers run later, each for itself (app surface)',
  async ({ gadget }) => {
    await gadget.mount('standard');
    const seen = () => gadget.frame.locator('body').evaluate(() => Reflect.get(globalThis, 'seen'));
    await expect.poll(async () => (await seen()).length).toBe(6);
    expect((await seen()).slice(0, 3)).toEqual(['function', 'function', '']);
    const person = { id: 'm-1', displayName: 'Ada Lovell' };
    const [readyState, ...later] = (await seen()).slice(3);
    expect(['interactive', 'complete', person]).toContainEqual(readyState);
    expect([readyState, ...later]).toContainEqual(person);
    expect([readyState, ...later]).toContain('second handler');
  },
);

throwing('an SDK that is loaded twice is one SDK with one port (app surface)', async ({ gadget }) => {
  await gadget.mount('standard');
  const same = await gadget.frame.locator('body').evaluate(async () => {
    const { osapi, gadgets } = globalThis as unknown as Record<string, unknown>;
    const [first] = document.scripts;
    const script = Object.assign(document.createElement('script'), { src: '/gantry/osapi.js' });
    await new Promise((resolve) => {
      script.addEventListener('load', resolve);
      (first ?? document.body).before(script);
    });
    return osapi === Reflect.get(globalThis, 'osapi') && gadgets === Reflect.get(globalThis, 'gadgets');
  });
  expect(same).toBe(true);
  await gadget.settled();
  expect(gadget.record.filter(({ kind }) => kind === 'handshake')).toHaveLength(1);
});

for (const [id, { margins, mode }] of Object.entries(documents)) {
  const run = id === 'standard' ? throwing : test;
  run(`adjustHeight measures a document that grows and shrinks: ${id} (app surface)`, async ({ gadget }) => {
    await gadget.mount(id);
    const body = gadget.frame.locator('body');
    for (const height of [600, 40]) {
      // taller than the frame, and shorter
      await body.evaluate((_body, px) => {
        const main = window.document.getElementById('content') as HTMLElement;
        main.style.cssText = `display: block; height: ${px}px`;
        Reflect.get(globalThis, 'gadgets').window.adjustHeight();
      }, height);
    }
    const heights = () =>
      gadget.record.flatMap((entry) =>
        entry.kind === 'action' && entry.name === 'adjustHeight' ? [entry.params] : [],
      );
    await expect.poll(heights).toEqual([[600 + margins], [40 + margins]]);
    await expect(gadget.element.locator('iframe')).toHaveCSS('height', `${40 + margins}px`);
    const measured = await body.evaluate(({ ownerDocument: { documentElement, compatMode } }) => ({
      height: documentElement.style.height,
      compatMode,
    }));
    expect(measured).toEqual({ height: '', compatMode: mode });
  });
}
