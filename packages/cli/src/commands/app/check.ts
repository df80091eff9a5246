import { relative, resolve } from 'node:path';
import { manifestPath } from '@gantry/lab/host';
import { UsageError } from '@gantry/server';
import { SocialError } from '@gantry/wire';
import { askYes } from 'create-gantry';
import { type AppCheck, checkApp, permissionLines } from '../../app-check/check-app.ts';
import { factsOf, languagesOf } from '../../app-check/fact-lines.ts';
import { type Finding, findingLine } from '../../app-check/finding.ts';
import { fixManifest, type ManifestFix } from '../../app-check/fix-manifest.ts';
import { lastRunFile } from '../../app-check/last-run.ts';
import { servedLine } from '../../app-check/served-files.ts';
import { withFlags } from '../../command.ts';
import { showDiff } from '../../project/show-diff.ts';
import { writeChanges } from '../../project/write-changes.ts';
import { NotWritten, type Output } from '../../terminal/output.ts';
import { appFlags } from './app-stores.ts';

/** Raised when an old reader of `--json` would misread it. */
const reportVersion = 2;

const options = {
  ...appFlags,
  fix: { type: 'boolean' },
  yes: { type: 'boolean' },
  strict: { type: 'boolean' },
} as const;

export const check = withFlags({ options }, async ({ values, positionals: [path], env, output, print }) => {
  if (!path) throw new UsageError('gantry app check needs a folder.');
  if (values.yes && !values.fix) throw new UsageError('--yes is for --fix.');
  const folder = resolve(path);
  const result = await checkApp(folder, { appsHost: env.GANTRY_APPS_HOST });
  const { name, asks, mayAsk, findings, files, manifest } = result;
  const errors = findings.filter(({ level }) => level === 'error');
  const warnings = findings.filter(({ level }) => level === 'warning');
  const fix = values.fix && errors.length === 0 ? planFix(folder, result) : undefined;
  const isFixed = fix !== undefined && fix.before !== fix.after;
  if (!values.json) show(result, warnings, output);
  if (isFixed && !values.json) showFix(fix, output);
  const isWritten = isFixed && (await isConfirmed(values));
  if (isWritten)
    writeChanges(folder, [{ path: relative(folder, manifestPath(folder)), before: fix.before, after: fix.after }]);
  const fixed = fix && { changes: isFixed, written: isWritten, asks: fix.asks, asksNoMore: fix.asksNoMore };
  const said = isWritten
    ? 'Written: gadget.json.'
    : isFixed
      ? 'Nothing was written.'
      : 'gadget.json fits the last run.';
  const facts = manifest && { version: manifest.version, icon: manifest.icon, languages: languagesOf(manifest) };
  if (values.json || fix) {
    print({ version: reportVersion, name, facts, asks, mayAsk, ...files, findings, fix: fixed }, said);
  }
  if (errors.length > 0)
    throw new SocialError('BAD_REQUEST', errors.map(({ what, cure }) => `${what} ${cure}`).join('\n'));
  if (isFixed && !isWritten) throw new NotWritten('--yes writes it.');
  if (values.strict && warnings.length > 0 && !isWritten) {
    throw new SocialError('BAD_REQUEST', `Warnings: ${warnings.length}, and --strict allows none.`);
  }
});

function show(result: AppCheck, warnings: readonly Finding[], output: Output): void {
  const { name, asks, mayAsk, findings, files, manifest } = result;
  if (name !== undefined) {
    if (asks.length === 0) output.out(`${name} asks members for nothing.`);
    for (const line of permissionLines(`Members are asked to let ${name}:`, asks)) output.out(line);
    for (const line of permissionLines('While it runs it may ask them to let it:', mayAsk)) output.out(line);
  }
  for (const [heading, text] of manifest ? factsOf(manifest) : []) output.out(`${heading}: ${text}`);
  if (files) output.out(`A site serves ${servedLine(files)}.`);
  for (const warning of warnings) output.err(`Warning: ${findingLine(warning)}`);
  if (warnings.length === findings.length) output.out('It can be registered: gantry app add.');
}

/** Plans the fix of a manifest. @throws UsageError without a run to compare with. */
function planFix(folder: string, { manifest, run }: AppCheck): ManifestFix | undefined {
  if (manifest === undefined) return undefined;
  if (run === undefined || run.starts === 0) {
    throw new UsageError(
      `There is no run in ${lastRunFile}. Start gantry dev ${folder}, use the gadget as a member would, and check again.`,
    );
  }
  return fixManifest(folder, manifest, run.plan);
}

function showFix({ before, after, asks, asksNoMore }: ManifestFix, output: Output): void {
  output.out(showDiff([{ path: 'gadget.json', before, after }]));
  for (const line of permissionLines('Members will also be asked to let it:', asks)) output.out(line);
  for (const line of permissionLines('They will no longer be asked to let it:', asksNoMore)) output.out(line);
}

async function isConfirmed({ yes, json }: { readonly yes?: boolean; readonly json?: boolean }): Promise<boolean> {
  return yes || (!json && process.stdin.isTTY && (await askYes('Write gadget.json?')));
}
