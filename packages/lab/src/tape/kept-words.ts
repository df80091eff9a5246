import { errorStatus, operations, optionalPersonFields } from '@gantry/wire';

// Words of Gantry and the API document stay on a redacted tape: they identify no person.

const rows = Object.values(operations);

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

const names = `
  accent activities activity addresses after age ageMs albumId albums all appData appId appdata asks bridge by
  cause clock code column contrast count country created data delayMs description detail details direction directive
  displayName document documents entry error fault fields fileSize filter formatted frame friends gadget gantry groupId guid hasApp
  height id ids index ink instance invalidated isOwner isRedacted isStopped isViewer itemsPerPage jumpMs key keys kind
  languagesSpoken lastUpdated length limit line list loaded locale media mediaItem mediaItemCount mediaItemId mediaItems
  mediaType member members message meta missing motion muted name network ok on-accent operation operations owner ownerId
  page params path pending people permission permissions person persona place postedTime profileUrl radius reason
  region reply rest result retryAfter retryAt revision rpc rule scheme scope shortcuts site size sizing social source stack
  stale startIndex state status surface target text theme thumbnailUrl time timeZone times title topic totalResults type
  uri url user userId users value values version versions view viewer views where width world write writes xoauth_requestor_id
`;

const values = `
  @me @viewer @owner @self @friends @all @app @supportedFields @viewerFriends @ownerFriends VIEWER OWNER IMAGE
  home profile canvas preview mobile default fixed maximal automatic light dark normal more full reduce ltr rtl fast slow
  offline fail-once none nobody male female true false null undefined cache network sending waiting done online
  visible hidden suspended
  context event visibility rollback teardown theme height
  adjustHeight setTitle announce focus.leave key left views.navigate ui.toast ui.dialog ui.confirm ui.share ui.openLink
  permissions.request permissions.has state.get state.set
  unresponsive process restart refused stopped resize-loop silent blocked moved malformed flood focus
  start ready update reload end failed answered unavailable unreachable late kept confirmed asked joined fresh
  optimistic queued rate concurrency debug log info warn fail dropReply delay kill
  events storage abort heartbeat writes watch subscribe batch call
  friendly empty crowd hostile daylight-saving
  alert confirm prompt open print download script img link style iframe audio video form object embed
  default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr img-src font-src media-src
  connect-src frame-src worker-src child-src object-src form-action base-uri frame-ancestors navigate-to manifest-src
  inline eval wasm-eval data blob self Escape Enter Tab
`;

/** Names and values of the API document and of Gantry. */
const kept: ReadonlySet<string> = new Set([
  ...wordsOf(names),
  ...wordsOf(values),
  ...Object.keys(operations),
  ...rows.flatMap(({ osapi, topic, permission, method }) => [osapi, topic, permission, method]),
  ...optionalPersonFields,
  ...optionalPersonFields.map((field) => `people.${field}`),
  ...Object.keys(errorStatus),
  ...wordsOf('NOT_GRANTED TOKEN_EXPIRED'),
]);

/** Words that stay in addresses and paths only. */
const inAddresses: ReadonlySet<string> = new Set(
  wordsOf('http https ws wss data file png jpg jpeg gif webp avif svg html htm css js mjs ts tsx jsx json vue xml map'),
);

/** Returns whether a whole text is a word of Gantry or of the API document. */
export function isKept(text: string): boolean {
  return kept.has(text);
}

/** Returns whether a word of an address identifies no person. */
export function isKeptInAddress(word: string): boolean {
  return kept.has(word) || inAddresses.has(word);
}
