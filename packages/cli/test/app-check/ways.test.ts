import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { checkApp } from '../../src/app-check/check-app.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

/** Findings of an app with one more file, as `id:line:column`. */
async function findingsOf(file: string, text: string): Promise<readonly string[]> {
  await writeFile(join(folder, 'index.html'), '<script src="/gantry/osapi.js"></script>');
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ name: 'A', page: 'index.html' }));
  await writeFile(join(folder, file), text);
  const { findings } = await checkApp(folder);
  return findings.map(({ id, line, column }) => `${id}:${line}:${column}`);
}

const lit = 'import { html } from "lit";\n';

// Ways to write what the sandbox refuses, which patterns in masked text did not find.
const ways: Readonly<Record<string, readonly (readonly [file: string, text: string, found: string])[]>> = {
  JavaScript: [
    ['a.js', 'function f(x) { return /["`]/.test(x) }; fetch("x")', 'fetch-elsewhere:1:42'],
    ['a.js', 'globalThis["fetch"](u)', 'fetch-elsewhere:1:1'],
    ['a.js', 'const { fetch: load } = window;\nload(u);', 'fetch-elsewhere:2:1'],
    ['a.js', 'const w = self;\nconst ask = w.confirm;\nask?.("?")', 'silent-dialog:3:1'],
    ['a.js', 'window?.alert?.(1)', 'silent-dialog:1:1'],
    ['a.js', 'for (const u of list) { open(u) }', 'silent-window:1:25'],
    ['a.js', 'urls.map(fetch)', 'fetch-elsewhere:1:10'],
    ['a.js', '`$' + '{fetch(u)}`', 'fetch-elsewhere:1:4'],
    ['a.js', 'setTimeout("run()", 10)', 'eval:1:1'],
    ['a.js', 'window["local" + "Storage"]; self["sessionStorage"].a = 1', 'browser-storage:1:30'],
  ],
  TypeScript: [
    ['a.ts', 'const u = <string>x;\n(window as any).fetch(u);', 'fetch-elsewhere:2:1'],
    ['a.ts', 'window!.open!(u)', 'silent-window:1:1'],
    ['a.ts', 'class Live extends WebSocket {}', 'fetch-elsewhere:1:1'],
    ['a.ts', '(0, eval)(code as string)', 'eval:1:1'],
    ['a.ts', 'const { clipboard }: Navigator = navigator;', 'uses-device:1:9'],
    ['a.ts', 'fetch.call<Window, any, any>(window, u)', 'fetch-elsewhere:1:1'],
  ],
  HTML: [
    ['a.html', '<p>a</p>\n<b onclick=fetch(&quot;u&quot;)>', 'fetch-elsewhere:2:12'],
    ['a.html', '<b onclick=alert(1)>', 'silent-dialog:1:12'],
    ['a.html', '<b\n  onclick = "if (a > b) self[`fetch`](u)">', 'fetch-elsewhere:2:25'],
    ['a.html', '<a title="a > b" target=_blank>', 'silent-window:1:18'],
    ['a.html', '<script>if (a) b; else /["]/.test(c); fetch("d")</script>', 'fetch-elsewhere:1:39'],
    ['a.html', '<b x-data @click="fetch(u)">', 'fetch-elsewhere:1:19'],
    ['a.html', '<a title="1 > 0"\n  download>', 'downloads:2:3'],
  ],
  Lit: [
    ['a.js', `${lit}html\`<b @click=\${() => fetch(u)}>\``, 'fetch-elsewhere:2:24'],
    ['a.js', `${lit}html\`<b @click=\${alert}>\``, 'silent-dialog:2:18'],
    ['a.js', `${lit}html\`<ul>\${list.map((u) => html\`<li @click=\${() => open(u)}>\`)}</ul>\``, 'silent-window:2:52'],
    ['a.js', `${lit}html\`\n  <iframe src=\${u}></iframe>\``, 'frame-inside:3:4'],
    ['a.js', `${lit}html\`<b onclick="fetch('\${u}')">\``, 'fetch-elsewhere:2:18'],
    ['a.ts', `${lit}class A { render() { return html\`\${until(fetch(this.u), '')}\` } }`, 'fetch-elsewhere:2:42'],
  ],
  React: [
    ['a.jsx', "const A = () => <p>don't <b onClick={() => fetch(u)}>isn't</b></p>", 'fetch-elsewhere:1:44'],
    ['a.tsx', 'const A = () => <b onClick={print}>a</b>', 'silent-dialog:1:29'],
    ['a.tsx', "const A = () => <p>it's {fetch(u) as any}'</p>", 'fetch-elsewhere:1:26'],
    ['a.jsx', 'const A = () => <a href={b} target={"_blank"}>a</a>', 'silent-window:1:29'],
    ['a.jsx', 'const A = () => <a onClick={() => b} href="a" target="_blank">`</a>', 'silent-window:1:47'],
    ['a.jsx', 'useEffect(() => { const { alert: say } = globalThis; say(u) }, [])', 'silent-dialog:1:54'],
  ],
  Vue: [
    ['a.vue', '<template>\n  <b @click="fetch(u)">a</b>\n</template>', 'fetch-elsewhere:2:14'],
    ['a.vue', '<template><b v-on:click.prevent="() => alert(1)" /></template>', 'silent-dialog:1:40'],
    ['a.vue', '<template><p>{{ fetch(u) }}</p></template>', 'fetch-elsewhere:1:17'],
    ['a.vue', '<template><p v-for="x in fetch(u)">a</p></template>', 'fetch-elsewhere:1:26'],
    ['a.vue', '<template><b :title="1 > 0 ? prompt() : a" /></template>', 'silent-dialog:1:30'],
    [
      'a.vue',
      '<script setup lang="ts">\nconst a = <T,>(x: T) => window!.fetch(x as string);\n</script>',
      'fetch-elsewhere:2:25',
    ],
    ['a.vue', '<template><b @click="a = 1; if (a) open(u)">a</b></template>', 'silent-window:1:36'],
  ],
  Svelte: [
    ['a.svelte', '<b on:click={() => fetch(u)}>a</b>', 'fetch-elsewhere:1:20'],
    ['a.svelte', '<b onclick={alert}>a</b>', 'silent-dialog:1:13'],
    ['a.svelte', '{#await fetch(u) then r}{r}{/await}', 'fetch-elsewhere:1:9'],
    ['a.svelte', '{#each await_(fetch("}")) as { id, name = "}" }, i (id)}{name}{/each}', 'fetch-elsewhere:1:15'],
    ['a.svelte', '{#if a}{:else if /[}"]/.test(a) && confirm("?")}b{/if}', 'silent-dialog:1:36'],
    [
      'a.svelte',
      '<script lang="ts">let a = $state<string>("<b>");</script>\n{@html fetch(a as any)}',
      'fetch-elsewhere:2:8',
    ],
    ['a.svelte', '<A {...fetch(u)} b="c {`}`} d" />', 'fetch-elsewhere:1:8'],
  ],
};

describe.each(Object.entries(ways))('%s', (_, table) => {
  test.each(table)('%s: %s', async (file, text, finding) => {
    expect(await findingsOf(file, text)).toEqual([finding]);
  });
});

// Names of the window that belong to somebody else.
test.each([
  ['a.js', 'import { fetch, open as print } from "./own.js"; fetch(1); print(2)'],
  ['a.js', 'function go({ fetch }, ...[alert]) { fetch(1); alert(2) }'],
  ['a.js', 'fetch(1); function fetch() {}'],
  ['a.js', 'api.fetch(1); this.open(2); super_.alert(3); class A { print() { this.print(); super.open() } }'],
  ['a.js', 'const { confirm } = gantry.ui; confirm("?")'],
  ['a.js', 'try { a } catch (prompt) { prompt(1) }'],
  ['a.js', 'if (typeof fetch === "function" && "fetch" in window) a = /fetch("x")/; // fetch(1)'],
  [
    'a.ts',
    'interface A { fetch(u: string): typeof localStorage } declare function alert(a: string): void; type B = Storage',
  ],
  [
    'a.jsx',
    'const A = ({ print, open }) => <p onClick={print}>fetch(x) {open(1)} <Form action="x" target="_blank" /></p>',
  ],
  ['a.vue', '<template><b v-for="(print, i) in all" @click="print(i)" /></template>'],
  ['a.vue', '<template><b @click="open(1)" /></template><script>export default { methods: { open(x) {} } }</script>'],
  ['a.svelte', '{#each all as print, i (i)}<b onclick={() => print(i)}>{print}</b>{/each}'],
  ['a.svelte', '{#snippet confirm(text)}{text}{/snippet}{@render confirm("a")}'],
  ['a.html', '<script>function open() {}</script><b onclick="open()" title="alert(1)">fetch(1)</b><!-- <iframe> -->'],
])('%s: names of its own are no alarm: %s', async (file, text) => {
  expect(await findingsOf(file, text)).toEqual([]);
});

test('a function of one script is known in the others, unless it is of a module', async () => {
  await writeFile(join(folder, 'own.js'), 'function print(text) {}');
  expect(await findingsOf('a.js', 'print("a")')).toEqual([]);
  await writeFile(join(folder, 'own.js'), 'export function print(text) {}');
  expect(await findingsOf('a.js', 'print("a")')).toEqual(['silent-dialog:1:1']);
});

test.each([
  ['through a variable', 'const { people: p } = await ready(); p.getViewer()'],
  ['through a name', 'const get = osapi["people"]?.get; get({ fields: ["age"] })'],
  ['through an import', 'import { people as friends } from "@gantry/osapi"; friends.getFriends()'],
  ['as an argument', 'useQuery("a", osapi.people.getViewer)'],
  ['in a file that cannot be parsed', 'osapi.people.get(); ]'],
])('a call of osapi is seen %s', async (_, text) => {
  expect(await findingsOf('a.js', text)).toContain('undeclared-call:undefined:undefined');
});

test('a call in a comment or text is none', async () => {
  expect(await findingsOf('a.js', '// people.get()\n"people.get()"')).toEqual([]);
});

test.each([
  ['a.js', 'a;\nlet let = 1;', 'unreadable:2:5'],
  ['a.html', '<p>\n<script>a b</script>', 'unreadable:2:10'],
  ['a.vue', '<template><b @click="a b" /></template>', 'unreadable:1:23'],
  ['a.svelte', '<p>{a b}</p>', 'unreadable:1:7'],
  ['a.js', '['.repeat(100_000), 'unreadable:1:1'],
  ['a.svelte', `{${'['.repeat(100_000)}`, 'unreadable:1:2'],
  ['a.svelte', '{'.repeat(100_000), 'unreadable:1:3'],
  ['a.js', `${' '.repeat(1_000_000)}a`, 'unreadable:1:1'],
])('%s that cannot be read is one finding (security rule 39)', async (file, text, finding) => {
  expect(await findingsOf(file, text)).toEqual([finding]);
});
