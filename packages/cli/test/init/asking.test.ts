import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { initProject } from '../../src/init/init-project.ts';
import { showDiff } from '../../src/project/show-diff.ts';
import { NotWritten } from '../../src/terminal/output.ts';
import { expressPackage, type Stranger, sites, stranger } from './stranger.ts';

const express = { 'server.js': sites.esm, 'package.json': expressPackage };

/** Runs `gantry init` at a terminal with answers. */
async function atTerminal(
  { folder }: Stranger,
  answer: (question: string) => string,
): Promise<{ questions: readonly string[]; out: string }> {
  const questions: string[] = [];
  const out: string[] = [];
  await initProject({
    ...{ folder, mode: 'ask', json: false, newKey: () => 'k'.repeat(43), home: `${folder}-home` },
    output: { out: (line) => out.push(line), err: (line) => out.push(line) },
    checkSite: async () => ({ passed: [], problems: [] }),
    ask: async (question) => {
      questions.push(question);
      return answer(question);
    },
  });
  return { questions, out: out.join('\n') };
}

test('a terminal is asked once, after the difference, and yes writes (site owner’s guide)', async () => {
  const site = stranger(express);
  const { questions, out } = await atTerminal(site, () => 'y');
  expect(questions).toEqual(['Write 12 files as shown? [y/N] ']);
  expect(out).toContain('+app.use(gantryListener);');
  expect(site.read('server.js')).toContain('app.use(gantryListener);');
  expect((await atTerminal(site, () => 'y')).questions).toEqual([]);
});

test.each(['', 'n', 'yes please'])('the answer %j writes nothing (site owner’s guide)', async (answer) => {
  const site = stranger(express);
  await expect(atTerminal(site, () => answer)).rejects.toThrow(NotWritten);
  expect(readdirSync(site.folder).sort()).toEqual(['package.json', 'server.js']);
});

test('a file that was saved while the question stood is not overwritten, and nothing else is written (site owner’s guide)', async () => {
  const site = stranger(express);
  const result = atTerminal(site, () => {
    writeFileSync(join(site.folder, 'server.js'), 'saved meanwhile\n');
    return 'y';
  });
  await expect(result).rejects.toThrow('server.js was changed meanwhile. Nothing was written; run the command again.');
  expect(site.read('server.js')).toBe('saved meanwhile\n');
  expect(readdirSync(site.folder).sort()).toEqual(['package.json', 'server.js']);
});

test('an unknown site is asked for at a terminal, and then a place for its keys (site owner’s guide)', async () => {
  const answers = ['other', '', 'y'];
  const site = stranger({ 'main.go': 'package main\n' });
  const { questions } = await atTerminal(site, () => answers.shift() as string);
  expect(questions[0]).toBe('No framework was found. Which is it: express, next, node, php, flask, other? ');
  expect(questions[1]).toMatch(
    /^Keys must not lie where a web server could send them: nothing tells which files of \S+ are sent\. Folder for them \(\S+\/site-[0-9a-f]{8}\): $/,
  );
  expect(existsSync(`${site.folder}-home`)).toBe(true);
  expect(existsSync(join(site.folder, '.gantry'))).toBe(false);
  await expect(atTerminal(stranger({}), () => 'rails')).rejects.toThrow(
    '"rails" is not one of them. Nothing was changed.',
  );
});

test('the owner of a site may overrule the guess at a terminal (security rule 31)', async () => {
  const site = stranger({ 'index.html': '', 'app.py': sites.flask });
  const chosen = join(site.folder, 'private');
  await atTerminal(site, (question) => (question.startsWith('Write') ? 'y' : chosen));
  expect(existsSync(join(chosen, 'keys.json'))).toBe(true);
  const { questions } = await atTerminal(site, () => 'n');
  expect(questions).toEqual([]);
});

test('colours are for terminals only, and secrets are in neither form (security rule 8)', async () => {
  const site = stranger({ 'app.py': sites.flask });
  vi.stubEnv('FORCE_COLOR', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { out } = await atTerminal(site, () => 'y');
  expect(out).toContain('\u001b[32m+GANTRY_VIEWER_KEY=(made when this is written; not shown)');
  expect(out).not.toContain('kkk');
  expect(showDiff([{ path: 'gantry.env', after: 'GANTRY_VIEWER_KEY=kkk\n' }])).toContain('kkk'); // control: not marked as secret
  expect(site.read('gantry.env')).toContain('k'.repeat(43));
});

test('a folder that may not be written is one sentence, and stays as it was (site owner’s guide)', () => {
  const site = stranger(express);
  chmodSync(site.folder, 0o555);
  const program = fileURLToPath(new URL('../../bin/gantry.js', import.meta.url));
  const init = [process.execPath, '--conditions=@gantry/source', program, 'init', site.folder, '--yes'];
  // Root may write anywhere, unless it drops that capability.
  const withoutOverride = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
  const [command = '', ...args] = process.getuid?.() === 0 ? [...withoutOverride, ...init] : init;
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  chmodSync(site.folder, 0o755);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^\S+ cannot be written \(EACCES\)\. Nothing was changed\.\n$/),
  ]);
  expect(readdirSync(site.folder).sort()).toEqual(['package.json', 'server.js']);
});
