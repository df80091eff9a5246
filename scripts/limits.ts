// `node scripts/limits.ts` writes the numbers of docs/limits.md from the constants that hold them.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/limits.md');

/** Beginning of a row, and the constant of each number in its bound; `-` is a number by hand. */
const rows = `
Name of a parameter: bounds.nameLength
Calls of a JSON-RPC batch: rpc.maxCalls
Ids of members in a list: bounds.ids
\`keys\` and \`fields\` together: bounds.list
JSON: bounds.depth bounds.values
XML: read-xml.maxDepth read-xml.maxElements read-xml.maxAttributes
Title of an activity: activity.mostTitleCharacters
Records in one POST: body.maxRecords - save-records.mostProblems
Albums, photos on a page: album-pages.albumsOfPage album-pages.photosOfPage
\`Accept-Language\`: languages.maxLength languages.maxTags
Old rows: retention.rowsATurn
One answer: bounds.maxAnswerBytes
All calls of a JSON-RPC batch: bounds.maxAnswerBytes reply.mostOfWrite
Keys of AppData of a member's friends: app-data.mostKeysOfFriends
Keys of AppData of a member and app: app-data.maxAppDataKeys
Keys in one AppData write: app-data.maxAppDataKeys
\`startIndex\` +: bounds.maxDepthOfSeveral
Rows of such a list: bounds.maxRowsOfSeveral
Reads at once of such lists: read-gate.atOnce
\`url\` of an activity: text-bounds.mostUrlCharacters
Gadget tokens in a body: bounds.tokens
Changes that a reopened: events.mostMissed events.fewMissed
Changes that a page: changes.mostAtOnce
Unread bytes of a stream: event-stream*.backlogBytes
An upstream's answer: bounds.maxAnswerBytes bounds.depth
Results of one app's calls: bounds.maxAnswerBytes
Answer to a write: reply.mostOfWrite
Messages of one port: protocol.messagesPerSecond protocol.savedSeconds protocol.size
Time to read and answer: protocol.readingMsPerSecond protocol.savedSeconds
Text, values, nesting: protocol.text protocol.values protocol.depth protocol.args
Malformed messages: protocol.drops
Id of a message: protocol.idLength
Hello: - protocol.capabilities protocol.capabilityLength
Versions in a hello: - versions.maxListed - versions.maxVersion
Calls in one message: protocol.batchLimit protocol.batchText
Message with one call: protocol.callText
Strings in one JSON text: protocol.strings
Open calls and watches: protocol.openRequests
Leased results of a port: leases.leases leases.leaseText
Reports of writes: entry-store.doneKept entry-store.doneKeptMs
Arguments of an action: protocol.actionArgs
\`state.set\`: instance-state.limit
\`setTitle\`: title.maxLength title.drawnMs
\`adjustHeight\`: set-height.minHeight set-height.maxHeight
Toasts on a page: layer-keeper.maxToasts
\`ui.dialog\`: - - - link.maxLength request.maxNames
\`views.navigate\`: - view-address.maxParams view-address.maxText
Time to save at the end: start-app.farewellMs
Focus taken: focus-rule.stormCount
Waiting sign-ins: find-page.mostSigningIn
Request tokens of a consumer: request-tokens.mostWaiting
Keys of a member |: keys-page.mostKeys
Sessions of a member: sessions.mostOfMember
Decisions told: install-reporter.recordsPerPost install-reporter.deadlineMs
\`name\`, \`picture\`: text-bounds.title text-bounds.mostUrlCharacters member-claims.skewS
Request target: limits.headerBytes limits.headers
Time until the last byte of the headers: limits.headersMs
Time until the last byte of the body: limits.requestMs limits.uploadMs
Bodies being received: limits.bodiesBytes
Time between two requests: limits.keepAliveMs limits.silenceMs
Connections |: limits.connections
Connections not yet: limits.backlog
Unread answers: limits.answersBytes
Requests in work, streams: limits.inFlight
Lateness: limits.lagMs
Time until a request is started: limits.waitMs limits.standingWaitMs - limits.fewWaiting
One commit of SQLite: group-commit.mostWriters group-commit.mostSteps group-commit.mostSize
\`gadget.json\`: manifest.maxManifestBytes bounds.depth manifest.maxEntries manifest.maxEntries
Facts of it: manifest-facts.maxTitle manifest-facts.maxDescription manifest-facts.maxVersion manifest-facts.maxUrl manifest-facts.maxCategories manifest-facts.maxLanguages manifest-facts.maxData app-icon.maxIconBytes
Files of a version: version-list.maxFiles version-list.maxPathLength
File, version: version-list.maxFileBytes version-list.maxVersionBytes
Chunk of a file: version-list.chunkBytes
Chunks of a site: chunk-store.maxStoredBytes chunk-store.leastBytes
Request to a bucket: open-bucket.bucketDeadlineMs blobs.maxBlobBytes version-list.chunkBytes
Bytes of a bucket: loose-chunks.looseMs loose-chunks.claimedAtOnce loose-chunks.claimMs
Folder that becomes: read-folder.maxFolderEntries read-folder.maxDepth
Packed version: tar-entries.maxTarEntries tar-entries.maxHeaderBytes
Author's statement: stored-versions.maxStatementLength
Members in one offer: previews.maxPreviewMembers
Accepted versions of an app: sweep.keptVersions
Files of versions that a machine: cache-folder.maxCachedBytes file-cache.fetchedAtOnce
Lists of versions in memory: known-versions.keptBytes
Results of repeated reads: sqlite-recall.mostResults sqlite-recall.mostRows sqlite-recall.mostLength
Detail of an audit entry: audit.maxAuditDetail audit.maxAuditEntries
\`gantry init\`: project.mostFiles project.deepest project.largestBytes script.longestMs
Photo of a member: - - encode.maxSide encode.maxFrames
Form of photos: - read-parts.maxParts read-parts.headerBytes read-parts.fieldBytes
Records of it in one: import-lines.recordsOfTransaction
AppData of a member and app in: app-data.maxAppDataBytes app-data.maxAppDataKeys
Addresses in records: text-bounds.mostUrlCharacters
Names, titles, regions: text-bounds.title
Other texts in records: text-bounds.text
Key of the registry: registry-keys.maxAppsOfKey registry-keys.maxKeyDays
Requests with a key: registry.perMinute registry.burst
Bytes of chunks: byte-limit.burst byte-limit.perMinute
Bodies received, read: registry.atOnce - registry.waiting
Time of such a body: read-upload.uploadMs
Versions of an app that wait: deliver.maxWaiting
Statement of an author: author-statement.maxStatementBytes author-statement.maxLines author-statement.maxLine
Answer with the changes: read-versions.mostChanges
\`gantry app push\`: site-client.tries
Labs |: labs.mostLabs
A tape |: tape.characters
Line; its depth: tape.lineLength tape.depth tape.entries`;

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  second: 1_000,
  seconds: 1_000,
  minutes: 60_000,
};
const amounts: Readonly<Record<string, number>> = {
  KiB: 1_024,
  MiB: 1_048_576,
  GiB: 1_073_741_824,
  million: 1_000_000,
};

/**
 * Returns the page with the numbers of today's code.
 *
 * @throws Error that names a row or constant which is not there.
 */
export function limitsPage(text: string): string {
  const lines = text.split('\n');
  for (const row of rows.trim().split('\n')) {
    const [, start = '', list = ''] = /^(.*): (.*)$/.exec(row) ?? [];
    const index = lines.findIndex((line) => line.startsWith(`| ${start}`));
    if (index === -1) throw new Error(`docs/limits.md has no row “${start}”.`);
    const [input, bound = '', ...after] = (lines[index] as string).split(' | ');
    const constants = list.split(' ').values();
    const numbers = bound.replace(/(?<![\w-])\d+(?:,\d{3})*(?: (\w+))?/g, (text, unit = '') => {
      const { value: constant = '-' } = constants.next();
      const [number = ''] = text.split(' ');
      return constant === '-'
        ? text
        : text.replace(number, (readConstant(constant) / sizeOf(constant, unit)).toLocaleString('en-US'));
    });
    if (!constants.next().done) throw new Error(`Row “${start}” of docs/limits.md has too few numbers.`);
    lines[index] = [input, numbers, ...after].join(' | ');
  }
  return lines.join('\n');
}

/** Returns what the page's unit is worth in that of the constant, which its name ends with. */
function sizeOf(constant: string, unit: string): number {
  return constant.endsWith('Ms') ? (milliseconds[unit] ?? 1) : (amounts[unit] ?? 1);
}

/** Finds a constant by file, wherever that stands, so that a move needs no change here. */
function readConstant(constant: string): number {
  const [file, name] = constant.split('.');
  const pattern = new RegExp(`\\b${name}(?: =|:) ([\\d_ *]+)[,;]`);
  const values = globSync(`packages/*/src/**/${file}.ts`, { cwd: root })
    .map((path) => pattern.exec(readFileSync(join(root, path), 'utf8'))?.[1])
    .filter((value) => value !== undefined)
    .map((value) => value.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1));
  if (new Set(values).size !== 1) throw new Error(`${constant} of docs/limits.md has ${values.length} values.`);
  return values[0] as number;
}

if (process.argv[1] === import.meta.filename) writeFileSync(page, limitsPage(readFileSync(page, 'utf8')));
