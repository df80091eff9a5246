import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { checkApp } from '../../src/app-check/check-app.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

type Files = Readonly<Record<string, string>>;
const sdk = '<script src="/gantry/osapi.js"></script>';

async function findingsOf(files: Files): Promise<readonly string[]> {
  const manifest = { name: 'A', page: 'index.html', uses: ['people.get'] };
  for (const [path, text] of Object.entries({ 'gadget.json': JSON.stringify(manifest), 'index.html': sdk, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { findings } = await checkApp(folder);
  return findings.map(({ id, file, line }) => `${id}@${file}:${line}`);
}

// Ten gadgets as people write them, with names that the window has too. A request is added to the
// last file.
const gadgets: Readonly<Record<string, Files>> = {
  'in plain scripts': {
    'index.html': `<!doctype html>${sdk}<ul id=list></ul><dialog id=ask><form method="dialog"><button>OK</button></form></dialog>
<button onclick="open(event)">Open</button><script src="ui.js"></script><script src="main.js"></script>`,
    'ui.js': 'function print(text) { list.append(text); }\nfunction open() { ask.showModal(); }\n',
    'main.js': `osapi.people.getViewer().execute(function (me) { print(me.displayName); if (a < b && c > d) open(); });
document.querySelector('form').addEventListener('submit', function (event) { event.preventDefault(); });\n`,
  },
  'of Lit elements': {
    'main.js': `import { LitElement, css, html } from 'lit';
import { fetch } from './people.js';
class FriendList extends LitElement {
  static styles = css\`:host { display: block; height: 100%; } /* 100vh */\`;
  static properties = { open: { type: Boolean }, prompt: {} };
  confirm() { this.open = !this.open; }
  render() {
    return html\`<form action=\${this.prompt} @submit=\${(event) => this.save(event)}>
      \${this.list.map((friend) => html\`<img src=\${friend.thumbnailUrl} alt="fetch(x)"> \${this.open ? 'a' : "it's"}\`)}
      <button ?disabled=\${!this.open} .prompt=\${this.prompt} @click=\${this.confirm}>\${this.prompt}</button></form>\`;
  }
  async save() { this.list = await fetch(osapi.people.getFriends()); }
}\n`,
    'people.js': 'export const fetch = (request) => new Promise((done) => request.execute(done));\n',
  },
  'of React': {
    'main.tsx': `import { useState, type ReactNode } from 'react';
type Props<T extends string = 'a'> = { readonly fetch: (id: T) => Promise<void>; readonly open?: boolean; children: ReactNode };
export function Card({ fetch, open = false, children }: Props) {
  const [alert, setAlert] = useState<string | null>(null);
  const confirm = async () => { await fetch('a'); setAlert(\`done \${open}\`); };
  return <form action={confirm}>{alert && <p role="alert">{alert}</p>}<p>Don't fetch(this) {'{'}{children}{'}'}</p>
    <Frame target="_blank" /><button type="button" onClick={() => void confirm()}>confirm()</button></form>;
}
export const load = () => osapi.people.get({ userId: '@me' as const, fields: ['age'] satisfies string[] });\n`,
  },
  'of Preact and htm': {
    'main.js': `import { h, render } from 'preact';
import htm from 'htm';
const html = htm.bind(h);
const List = ({ items, open }) => html\`<ul>\${items.map((item) => html\`<li onClick=\${() => open(item)}><\${Item} ...\${item} /></li>\`)}</ul>\`;
osapi.people.getFriends().execute(({ list }) => render(html\`<\${List} items=\${list} open=\${(item) => item}><p>a<//><//>\`, document.body));\n`,
  },
  'of Vue components': {
    'main.vue': `<script setup lang="ts">
import { ref } from 'vue';
const props = defineProps<{ title?: string; open: (id: number) => void }>();
const confirm = ref<string[]>([]);
const { open } = props;
async function print(id = 1) { confirm.value = (await osapi.people.get()) as unknown as string[]; }
</script>
<template>
  <Form action="x" target="_blank" @submit.prevent="print()"><tr v-for="({ id, alert }, i) in confirm" :key="id">
    <td v-bind:title="i > 0 ? 'fetch(1)' : \`\${alert}\`" @click="open(id); print(id)">{{ alert ?? "}" }} {{ a < b }}</td></tr>
    <Item #default="{ fetch }"><b @click.once="fetch" v-else v-html="title" />fetch(1)</Item></Form>
</template>
<style scoped>p { height: 50vh }</style>\n`,
  },
  'of Vue components with options': {
    'main.vue': `<template><p @click="prompt" v-if="open"><b @click="confirm('a &amp; b')">{{ print(alert) | upper }}</b></p></template>
<script>
export default {
  data() { return { open: false, alert: '' }; },
  computed: { print() { return (text) => text; } },
  methods: { confirm(text) { this.alert = text; }, prompt() { osapi.people.getViewer().execute(this.confirm); } },
};
</script>\n`,
  },
  'of Svelte 5': {
    'main.svelte': `<script lang="ts" generics="T extends Record<string, number>">
  let { items, open, confirm: ask = () => true }: { items: T[]; open: (item: T) => void; confirm?: () => boolean } = $props();
  let count = $state<number>(0);
  $effect(() => { osapi.people.getViewer().execute((me) => { count = me.length; }); });
</script>
<svelte:window onkeydown={(event) => event.key === '}' && ask()} />
{#snippet alert(text, { size = 1 } = {})}<b style:height="{size}px" title="it's {text}">{text}</b>{/snippet}
{#each items as { id, fetch, name = "a}" }, i (id)}
  <button class={['a', { b: count > 1 }]} {...items[0]} onclick={() => { fetch(id); open(items[i]); }}>{@render alert(name)}</button>
{:else}{@const print = (x) => x}{print(count)}{/each}
{#await ask() then open}{open}{:catch { message }}{message}{/await}
{#if count < 1 && ask}{:else if count > 2}{@html \`<i>\${count}</i>\`}{:else}fetch(){/if}\n`,
  },
  'of attributes (Alpine)': {
    'main.html': `<div x-data="{ open: false, confirm() { this.open = true } }" x-transition:enter="transition ease-out" :class="open && 'a'">
  <button @click="open = !open; confirm()" x-text="open ? 'fetch()' : ''" x-on:keyup.enter.window="confirm">a</button>
  <template x-for="(alert, i) in list" :key="i"><b @click="alert(i)" x-ref="a b"></b></template></div>
<script type="application/json">{ "a": "fetch(1)" }</script><script type="text/template"><b onclick="x y"></script>
<script>osapi.people.get()</script>\n`,
  },
  'of classes in TypeScript': {
    'main.ts': `import type { Person } from './types.ts';
declare global { interface Window { fetch: never } }
enum Print { open = 1 << 2 }
abstract class Store<T extends { id: string }> implements Iterable<T> {
  static #alerts = new Map<string, () => void>();
  @tracked accessor prompt = <T>(x: T) => x;
  constructor(private readonly open: (u: string) => Promise<T>, protected print?: () => void) {}
  fetch(id: T['id']): Promise<T> { return this.open(id satisfies string); }
  submit(): void { this.submit(); super_?.alert(); }
  *[Symbol.iterator]() { yield* [] as T[]; }
}
const eval_ = (fetch: typeof window.fetch, ...alert: Function[]) => alert.map((each) => each());
export const load = async (confirm = (p: Person) => p.id) => confirm!(await osapi!.people.get({ fields: ['age'] }));\n`,
  },
  'with a minified library and assets': {
    'data.json': '{ "fetch": "fetch(1)" }',
    'module.wasm': '\0asm\u0001\0\0\0',
    'vendor.min.js': `!function(t,e){"object"==typeof exports&&"undefined"!=typeof module?e(exports):"function"==typeof define&&define.amd?define(["exports"],e):e((t="undefined"!=typeof globalThis?globalThis:t||self).lib={})}(this,function(t){"use strict";var e,n=/[\`"'/]/g,r="function"==typeof fetch,o=function(){return this||Function("return this")()};function i(t,e){return t<e>-1?t/e/2:(0,t.open)(e)}for(var s in{alert:1,print:2})n.test(s)||i(s);class a{fetch(t){return this.confirm(t)}confirm(t){return\`\${t?\`<a target="_blank">\${t}\`:"'"}\`}}t.A=a;t.i=i;t.submit=function(t){return t.fetch()},t.s=r?1:2});\n`,
    'main.mjs': 'import data from "./data.json" with { type: "json" };\nosapi.people.get(lib.i(data));\n',
  },
};

test.each(Object.entries(gadgets))('a gadget %s has no findings, and one with a request has one', async (_, files) => {
  expect(await findingsOf(files)).toEqual([]);
  const [file = '', text = ''] = Object.entries(files).findLast(([path]) => !path.startsWith('people')) ?? [];
  const request = /\.(?:vue|svelte|html)$/.test(file) ? '<b onclick="window.fetch(1)"></b>' : 'window.fetch(1);';
  const line = text.split('\n').length;
  expect(await findingsOf({ ...files, [file]: text + request })).toEqual([`fetch-elsewhere@${file}:${line}`]);
});

test('Vite’s build of the app is not checked again, an app in public/ is', async () => {
  const call = 'osapi.people.getViewer(); alert(1)';
  const built = { 'dist/gadget.json': '{}', 'dist/index.html': sdk, 'dist/assets/a.js': call };
  const files = { 'main.js': call, 'public/gadget.json': '{}', 'public/b.js': call, ...built };
  expect(await findingsOf(files)).toEqual(['silent-dialog@main.js:1', 'silent-dialog@public/b.js:1']);
});
