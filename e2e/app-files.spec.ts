import { expect, frameOf, inEachMode, test } from './hosted.ts';

const page = `<!doctype html><html lang="en"><title>Radio</title><audio src="sound.wav" preload="metadata"></audio>
  <output></output><script>
    const audio = document.querySelector('audio');
    audio.onloadedmetadata = () => { audio.currentTime = 800; };
    audio.onseeked = () => { document.querySelector('output').textContent = audio.currentTime + ' of ' + audio.duration; };
  </script>`;

/** Silence of 900 seconds: 20 MB of 16 bits, one channel. */
function sound(): Uint8Array {
  const [rate, seconds] = [11_025, 900];
  const wav = Buffer.alloc(44 + 2 * rate * seconds);
  wav.write('RIFF----WAVEfmt ');
  wav.writeUInt32LE(wav.length - 8, 4);
  for (const [at, value] of [16, 0x1_0001, rate, 2 * rate, 0x10_0002].entries()) wav.writeUInt32LE(value, 16 + 4 * at);
  wav.write('data', 36);
  wav.writeUInt32LE(wav.length - 44, 40);
  return wav;
}

test.use({ apps: { radio: { 'index.html': page, 'sound.wav': sound() } } });

inEachMode(() => {
  test('sound of an app can be moved to any second, and only what is near it is loaded', async ({ show, context }) => {
    const starts: number[] = [];
    context.on('response', (response) => {
      const [, start] = /^bytes (\d+)-/.exec(response.headers()['content-range'] ?? '') ?? [];
      if (start !== undefined) starts.push(Number(start));
    });
    const page = await show('<gantry-gadget app="radio"></gantry-gadget>');
    await expect(frameOf(page, 'radio').locator('output')).toHaveText('800 of 900');
    expect(Math.max(...starts)).toBeGreaterThan(15_000_000);
  });
});
