import type { AuthorStatement, ShownState, VersionFacts, VersionReport } from '@gantry/proxy';
import { isolatedName } from '@gantry/wire';
import { countText, terminalText } from '@gantry/wire/runtime';
import { sizeText } from '../terminal/size-text.ts';
import { shortVersion } from './find-version.ts';

const stateWords: Readonly<Record<ShownState, string>> = {
  live: 'live',
  accepted: 'accepted, not live',
  waiting: 'waits for approval',
  preview: 'a preview for named members',
  refused: 'refused',
};

/** Returns a version in one line, as a heading. */
export function versionTitle({ name, label, version }: VersionFacts): string {
  return `${isolatedName(name)}${label === undefined ? '' : ` ${label}`} (${shortVersion(version)})`;
}

/** Describes a version, its differences to the live one, and what its author says about it. */
export function versionLines(report: VersionReport): readonly string[] {
  const { state, madeBy, madeAt, decidedBy, decidedAt, files, bytes, description, difference, statement } = report;
  const { permissions, hosts, data, losesData, from } = difference;
  const changes = [
    ...permissions.added.map(({ name, says, required }) => `+ ${says} (${name}${required ? '' : ', asked later'})`),
    ...permissions.removed.map(({ name, says }) => `- ${says} (${name})`),
  ];
  const places = [...hosts.added.map((host) => `+ ${host}`), ...hosts.removed.map((host) => `- ${host}`)];
  const against = from === null ? 'nothing that is live as a version' : shortVersion(from);
  return [
    `${versionTitle(report)}: ${countText(files, 'file')}, ${sizeText(bytes)}`,
    row('state', stateWords[state]),
    row('made', `${madeAt} by ${madeBy}`),
    ...(decidedBy && decidedAt ? [row('decided', `${decidedAt} by ${decidedBy}`)] : []),
    ...(description ? [row('says', terminalText(description))] : []),
    row('compared', `with ${against}`),
    ...listed('permissions', changes),
    ...listed('hosts', places),
    ...(data.from === data.to ? [] : [row('data', `${data.to}, was ${data.from}${losesData ? losesDataText : ''}`)]),
    ...(statement ? listed('its author', statementLines(statement)) : []),
  ];
}

const losesDataText = ': it may not read what the live version has written';

/** Everything here is the word of the author: the site has checked none of it. */
function statementLines({ check, tests, source, note }: AuthorStatement): readonly string[] {
  return [
    ...(check ? [`says that gantry app check found ${check.errors} errors and ${check.warnings} warnings`] : []),
    ...(check?.findings ?? []).map((finding) => `  ${terminalText(finding)}`),
    ...(tests
      ? [`says that ${tests.passed} tests passed, ${tests.failed} failed and ${tests.skipped} were skipped`]
      : []),
    ...(source ? [`says that it is made from ${terminalText(source)}`] : []),
    ...(note ? [`notes: ${terminalText(note, 1_000)}`] : []),
  ];
}

function listed(heading: string, lines: readonly string[]): readonly string[] {
  const [first = 'no change', ...more] = lines;
  return [row(heading, first), ...more.map((line) => row('', line))];
}

function row(heading: string, text: string): string {
  return `  ${heading.padEnd(11)}  ${text}`;
}
