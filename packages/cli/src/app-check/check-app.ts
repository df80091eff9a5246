import { readAppManifest } from '@gantry/lab/host';
import { type Explanation, explain, problem } from '@gantry/lab/record';
import { appDeclares, type Manifest } from '@gantry/proxy';
import { type PermissionName, SocialError, sentenceFor } from '@gantry/wire';
import { en } from '@gantry/wire/texts';
import { type Finding, placesIn } from './finding.ts';
import { type LastRun, readLastRun } from './last-run.ts';
import { manifestFindings } from './manifest-findings.ts';
import { pageFindings } from './page-findings.ts';
import { type ManifestPlan, planManifest } from './plan-manifest.ts';
import { parameterFindings, sandboxFindings } from './sandbox-findings.ts';
import { readServedFiles, type ServedFiles } from './served-files.ts';
import { type Source, sourcesOf } from './sources.ts';
import { storageFindings } from './storage-findings.ts';
import { usefulPlaces } from './useful-places.ts';

/** Findings about an app's folder, and the permissions that it declares. */
export interface AppCheck {
  readonly findings: readonly Finding[];
  readonly name?: string;
  /** Permissions required before the app starts. */
  readonly asks: readonly PermissionName[];
  /** Permissions that it may request while it runs. */
  readonly mayAsk: readonly PermissionName[];
  /** Absent if the manifest cannot be read. */
  readonly manifest?: Manifest;
  /** Files that a site serves, and those that it does not. Absent if no version can be made. */
  readonly files?: ServedFiles | undefined;
  /** The last run of `gantry dev`, and the changes to the manifest that it suggests. */
  readonly run?: LastRun & { readonly plan: ManifestPlan };
}

/**
 * Checks an app's folder without registering it. Never rejects for its content.
 *
 * @param options.appsHost Apps host of the site that it is for, if known.
 */
export async function checkApp(
  folder: string,
  { appsHost = '' }: { readonly appsHost?: string | undefined } = {},
): Promise<AppCheck> {
  try {
    const manifest = await readAppManifest(folder);
    const { required, optional } = appDeclares(manifest);
    const sources = await sourcesOf(folder);
    const { texts } = sources;
    const hasOwnHost = /^(https?:\/\/)?\*\./.test(appsHost);
    const run = readLastRun(
      folder,
      texts.map(({ path }) => path),
    );
    const plan = run && planManifest(manifest, run, texts);
    const { files, problems } = await servedFiles(folder, sources.all);
    const findings = [
      ...pageFindings(sources, manifest),
      ...manifestFindings(texts, manifest),
      ...texts.flatMap(sandboxFindings),
      ...texts.flatMap(parameterFindings),
      ...texts.flatMap(unreadable),
      ...storageFindings(texts, { storage: manifest.storage, hasOwnHost }),
      ...(plan?.findings ?? []),
      ...problems,
    ];
    return {
      findings: usefulPlaces(findings),
      name: manifest.name,
      asks: required,
      mayAsk: optional,
      manifest,
      files,
      ...(run && plan && { run: { ...run, plan } }),
    };
  } catch (error) {
    if (!(error instanceof SocialError)) throw error;
    const { where, subject: _, ...texts } = explain({ kind: 'manifest', problem: error.message }) as Explanation;
    return { findings: [{ ...texts, level: 'error', file: 'gadget.json', ...where }], asks: [], mayAsk: [] };
  }
}

async function servedFiles(folder: string, all: readonly string[]) {
  try {
    return { files: await readServedFiles(folder, all), problems: [] };
  } catch (error) {
    if (!(error instanceof SocialError)) throw error;
    const finding: Finding = { ...problem('no-version', { mistake: error.message }), level: 'warning' };
    return { problems: [finding] };
  }
}

function unreadable({ path, text, problems: [first] }: Source): readonly Finding[] {
  if (!first) return [];
  return [
    { ...problem('unreadable', { mistake: first.what }), level: 'warning', file: path, ...placesIn(text)(first.at) },
  ];
}

/** Returns a heading and a line for each permission in the words that members read, if any. */
export function permissionLines(heading: string, names: readonly PermissionName[]): readonly string[] {
  return names.length === 0
    ? []
    : [heading, ...names.map((name) => `  - ${sentenceFor(name, en.sentences)} (${name})`)];
}
