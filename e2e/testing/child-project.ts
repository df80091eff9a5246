import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Result of one test of a separate project. */
export interface ChildResult {
  readonly project: string;
  readonly title: string;
  readonly status: string;
  readonly errors: readonly string[];
  readonly attachments: readonly { readonly name: string; readonly path?: string; readonly body?: string }[];
  readonly steps: readonly string[];
}

/** A Playwright project outside of the repository, as a new user has it. */
export interface ChildProject {
  readonly folder: string;
  run(...args: readonly string[]): Promise<{ readonly results: readonly ChildResult[]; readonly seconds: number }>;
  remove(): Promise<void>;
}

/** @param files Content by path. */
export async function createChildProject(files: Readonly<Record<string, string>>): Promise<ChildProject> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-testing-project-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return {
    folder,
    async run(...args) {
      const startMs = performance.now();
      const report = join(folder, 'report.json');
      await new Promise<void>((resolve) => {
        const { TEST_WORKER_INDEX: _worker, TEST_PARALLEL_INDEX: _parallel, ...env } = process.env;
        const cli = join(root, 'node_modules/@playwright/test/cli.js');
        const childEnv = { ...env, NODE_OPTIONS: '--conditions=@gantry/source', PLAYWRIGHT_JSON_OUTPUT_NAME: report };
        execFile(process.execPath, [cli, 'test', '--reporter=json', ...args], { cwd: folder, env: childEnv }, () =>
          resolve(),
        );
      });
      const results = resultsOf(JSON.parse(await readFile(report, 'utf8')) as Report);
      return { results, seconds: (performance.now() - startMs) / 1_000 };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Browser configuration of a project, the same as this repository's. */
export const browserOptions = JSON.stringify({
  executablePath: process.env.GANTRY_HEADLESS_SHELL ?? process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

interface Report {
  readonly suites: readonly Suite[];
}
interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { readonly title: string; readonly tests: readonly TestReport[] }[];
}
interface TestReport {
  readonly projectName: string;
  readonly results: readonly {
    readonly status: string;
    readonly errors: readonly { readonly message?: string }[];
    readonly attachments: ChildResult['attachments'];
    readonly steps?: readonly Step[];
  }[];
}
interface Step {
  readonly title: string;
  readonly steps?: readonly Step[];
}

function resultsOf({ suites }: Report): readonly ChildResult[] {
  const inside = (suite: Suite): readonly ChildResult[] => [
    ...(suite.suites ?? []).flatMap(inside),
    ...(suite.specs ?? []).flatMap(({ title, tests }) =>
      tests.flatMap(({ projectName: project, results }) =>
        results.map(({ status, errors, attachments, steps = [] }) => ({
          ...{ project, title, status, attachments },
          errors: errors.map(({ message = '' }) => message),
          steps: steps.flatMap(titlesOf),
        })),
      ),
    ),
  ];
  return suites.flatMap(inside);
}

function titlesOf({ title, steps = [] }: Step): readonly string[] {
  return [title, ...steps.flatMap(titlesOf)];
}
