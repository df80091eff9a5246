import { startProblems } from '@gantry/wire/texts';
import { type ManifestFacts, manifestLine } from './manifest-line.ts';

type Facts<Named> = (facts: Named) => string | undefined;

/** Texts of a problem: `{name}` is filled in. Functions choose by the facts of one case. */
interface Row {
  /** As an author sees it, without a full stop. */
  readonly symptom: string;
  readonly what: string | Facts<never>;
  readonly cure: string | Facts<never>;
  readonly example?: string | Facts<never>;
}

/**
 * A problem in words, the same for every tool. Texts may contain those of the app: render as text.
 */
export interface ProblemTexts {
  /** Stable: `gantry dev --json`, `gantry app check --json` and guides use it. */
  readonly id: ProblemId;
  /** One sentence: what is wrong. */
  readonly what: string;
  /** One sentence: what to do. */
  readonly cure: string;
  /** The line to write, in `gadget.json` or in the app. */
  readonly example?: string;
}

interface OfManifest {
  readonly manifest?: ManifestFacts | undefined;
}
interface Addressed {
  readonly address?: string | undefined;
}
interface Meant {
  readonly meant?: string | undefined;
}
interface Remote {
  readonly isRemote?: boolean;
}
interface Written {
  readonly isWrite?: boolean | undefined;
}

const writeLess =
  'Write once the member has acted, or in steps of a second. In a subscription, compare what came with what is to be written, and write only if it differs.';
const sdkTag = '<script src="/gantry/osapi.js"></script>';

/** All problems of gadgets, as `gantry dev`, the test kit, `app check` and the docs show them. */
export const problems = {
  'manifest-missing': {
    symptom: 'A folder is not taken for an app',
    what: 'The folder has no gadget.json.',
    cure: 'Write one, or name the folder that has it.',
    example: '{ "name": "My gadget", "page": "index.html", "uses": [] }',
  },
  'manifest-json': {
    symptom: 'gadget.json cannot be read',
    what: 'gadget.json is not JSON: {mistake}.',
    cure: 'Correct line {line}, column {column}.',
  },
  'manifest-unknown-member': {
    symptom: 'gadget.json has a member that manifests do not have',
    what: 'gadget.json has no member "{member}".',
    cure: ({ meant, member, members }: Meant & { member: string; members: string }) =>
      member === 'permissions'
        ? 'Leave it out, and name the calls of `osapi` in `uses`: members are asked for those.'
        : meant
          ? `Call it "${meant}".`
          : `Leave it out: ${members}.`,
    example: ({ meant, member }: Meant & { member: string }) =>
      member === 'permissions' ? '"uses": ["people.get"]' : meant && `${JSON.stringify(meant)}: …`,
  },
  'manifest-page-missing': {
    symptom: 'gadget.json names a file that is not in the folder',
    what: '{member} names {file}, which is not there.',
    cure: 'Add {file} to the folder, or write the name of the file that is there.',
  },
  'manifest-value': {
    symptom: 'A member of gadget.json has a value that it cannot have',
    what: 'gadget.json: {mistake}',
    cure: ({ meant }: Meant) => (meant ? `Write ${JSON.stringify(meant)} there.` : 'Write such a value there.'),
  },
  'build-failed': {
    symptom: 'A file cannot be compiled',
    what: '{message}',
    cure: 'Correct {file}: the gadget is loaded when it is saved.',
    example: ({ frame }: { frame: string | undefined }) => frame,
  },
  'x-frame-options': {
    symptom: 'A server forbids that its pages are shown in frames',
    what: '{message}',
    cure: "Have the app's server leave X-Frame-Options out, and name the sites in frame-ancestors of its Content-Security-Policy instead.",
    example: 'Content-Security-Policy: frame-ancestors https://social.example',
  },
  'undeclared-call': {
    symptom: 'A call fails with NOT_GRANTED, since gadget.json does not list it',
    what: 'The app calls {call}, which gadget.json does not list: the site refuses it.',
    cure: 'Add it to `uses` in gadget.json; members are asked for it when they next open the app.',
    example: ({ manifest, call }: OfManifest & { call: string }) => manifestLine(manifest, 'uses', [call]),
  },
  'undeclared-field': {
    symptom: 'A call fails with NOT_GRANTED, since gadget.json does not list a field',
    what: '{call} asks for {fields}, which gadget.json does not list: the site refuses the whole call.',
    cure: 'Add it to `fields` in gadget.json, or ask for less.',
    example: ({ manifest, fields }: OfManifest & { fields: string }) =>
      manifestLine(manifest, 'fields', fields.split(', ')),
  },
  'optional-not-asked': {
    symptom: 'A call fails with NOT_GRANTED, since the member was not asked yet',
    what: '{call} needs {missing}, which is optional, and the member has not allowed it.',
    cure: 'Ask for it when the member clicks what needs it, and do without where they refuse.',
    example: ({ missing }: { missing: string }) =>
      `if (await gantry.permissions.request(['${missing.replaceAll(', ', "', '")}'])) …`,
  },
  'permission-refused': {
    symptom: 'A call fails with NOT_GRANTED, since the member refused',
    what: 'The member has not allowed {missing}, which {call} needs.',
    cure: 'Handle the error: show what works without it, and say what is missing.',
    example: ({ missing }: { missing: string }) => `if (gantry.permissions.has('${missing.split(', ')[0]}')) …`,
  },
  'refused-unhandled': {
    symptom: 'A subscription fails, and the app does not handle it',
    what: 'A subscription to {call} failed, and the app does not handle that: {message}',
    cure: ({ why }: { why: ProblemTexts | undefined }) =>
      `Give \`subscribe\` a second function that gets the error.${why ? ` ${why.cure}` : ''}`,
    example: ({ call, why }: { call: string; why: ProblemTexts | undefined }) =>
      why?.example ?? `osapi.${call}(…).subscribe(show, (error) => …)`,
  },
  'posted-too-soon': {
    symptom: 'A post fails with RATE_LIMITED and retryAfter',
    what: 'The member has posted through this app just before: the site takes the next post {later}.',
    cure: 'Let the page keep the post until then with `queue`, or try again after `error.data.retryAfter` seconds.',
    example: 'osapi.activities.create({ activity }, { write: { queue: true } })',
  },
  'rate-limited': {
    symptom: 'A call fails with RATE_LIMITED',
    what: '{call} was refused: the app asks too much at once, and may go on {later}.',
    cure: ({ isWrite }: Written) =>
      isWrite
        ? writeLess
        : 'Ask for several members in one call, keep results, and use `subscribe` instead of asking again and again.',
  },
  'write-loop': {
    symptom: 'The app writes again and again, or a subscription and its writes cause each other',
    what: 'The app calls {call} again and again: {times} writes within {seconds} seconds.',
    cure: writeLess,
    example: ({ call }: { call: string }) => `if (text !== saved) osapi.${call}(…)`,
  },
  'app-not-added': {
    symptom: 'A write fails with APP_NOT_ADDED',
    what: '{call} was refused: the site has not given the member this app, so nothing can be saved for them.',
    cure: 'Show what can be read, and say that the site must add the app first; the page around it tells the member how.',
  },
  'too-large': {
    symptom: 'A call fails with TOO_LARGE, or AppData with BAD_REQUEST',
    what: '{call} was refused as too large: {message}',
    cure: ({ isWrite }: Written) =>
      isWrite
        ? 'Write less at once: AppData of a member holds 102,400 bytes and 1,000 keys, and what is old can be deleted.'
        : 'Ask in pages with `count` and `startIndex`.',
    example: ({ isWrite }: Written) =>
      isWrite
        ? "osapi.appdata.delete({ keys: ['old'] })"
        : "osapi.appdata.get({ groupId: '@friends', keys: 'score', count: 100, startIndex })",
  },
  'state-too-large': {
    symptom: 'gantry.state.set fails with TOO_LARGE',
    what: 'gantry.state.set was refused, and the state before it stays: {message}',
    cure: 'Keep there only where the member is in the app, and data with `osapi.appdata`.',
  },
  'storage-full': {
    symptom: 'A write fails with STORAGE_FULL',
    what: '{call} was refused, since there is no room for it: {message}',
    cure: 'Tell the member, and keep what they wrote in the page until a later try succeeds.',
  },
  'outcome-unknown': {
    symptom: 'A write fails with OUTCOME_UNKNOWN',
    what: 'The connection broke while {call} was on its way: the site may have done it, and it was not done again.',
    cure: 'Read what the site has now, and let the member decide whether to write again.',
  },
  'not-implemented': {
    symptom: 'A call fails with NOT_IMPLEMENTED',
    what: 'This site cannot do {call}.',
    cure: 'Ask first whether it can, and leave that part out where it cannot.',
    example: ({ call }: { call: string }) => `if (osapi.has(${JSON.stringify(call)})) …`,
  },
  'signed-out': {
    symptom: 'A call fails with UNAUTHORIZED',
    what: '{call} was refused: no member is signed in.',
    cure: 'Look at `gantry.context.viewer`, and show what needs no member where it is missing.',
  },
  'bad-request': {
    symptom: 'A call fails with BAD_REQUEST',
    what: '{call} was refused: {message}',
    cure: 'Write its parameters as the message says.',
  },
  unreachable: {
    symptom: 'A call fails with UNAVAILABLE or TIMED_OUT',
    what: '{call} got no answer: the site cannot be reached now.',
    cure: 'Handle `error`: keep on the screen what is there, and offer to try again. A read that was answered before is served from the cache.',
  },
  'fetch-elsewhere': {
    symptom: 'fetch, XMLHttpRequest, WebSocket or EventSource is refused',
    what: ({ address }: Addressed) =>
      `The app asks for ${address || 'an address'} with fetch, XMLHttpRequest or the like: a gadget has no network of its own (connect-src 'none').`,
    cure: "Ask the site with `osapi`, receive changes with `subscribe`, and put data of the app's own into a module of its folder.",
    example: "import { cities } from './cities.js'",
  },
  'host-not-listed': {
    symptom: 'A script, style, picture, font or video of another origin does not load',
    what: '{kind} of {origin} is refused: gadget.json does not list this origin.',
    cure: 'Add it to `hosts` in gadget.json, which members are asked about, or save the file in the folder.',
    example: ({ manifest, origin }: OfManifest & { origin: string }) => manifestLine(manifest, 'hosts', [origin]),
  },
  'insecure-address': {
    symptom: 'A file with an http: address does not load',
    what: '{kind} of {origin} is refused: the frame loads over https only.',
    cure: 'Write https: in its address, and list the origin in `hosts` of gadget.json; or save the file in the folder.',
    example: ({ manifest, origin }: OfManifest & { origin: string }) =>
      manifestLine(manifest, 'hosts', [origin.replace('http:', 'https:')]),
  },
  'data-address': {
    symptom: 'A file with a data: or blob: address does not load',
    what: '{kind} with a {scheme}: address is refused: pictures may have one, other files not.',
    cure: "Name a file of the app's folder, and let Vite leave it one with `build.assetsInlineLimit`.",
    example: 'build: { assetsInlineLimit: 0 }',
  },
  'bad-address': {
    symptom: 'A file with an address of another server does not load',
    what: '{address} is not a URL.',
    cure: 'Correct the address.',
  },
  eval: {
    symptom: 'eval, new Function or WebAssembly is refused',
    what: "The app makes code at run time (eval, new Function, a timer with a text, WebAssembly): the frame refuses it (no 'unsafe-eval', no 'wasm-unsafe-eval').",
    cure: 'Call functions, and read data with `JSON.parse`; where a library does it, take its build without (for Vue the one with compiled templates).',
  },
  'frame-inside': {
    symptom: 'A frame or plug-in of the app does not load',
    what: ({ address }: Addressed) =>
      `A frame or plug-in${address ? ` (${address})` : ''} is refused: a gadget is one document (frame-src and object-src 'none').`,
    cure: 'Show its content in the page itself, or open a page elsewhere with `gantry.ui.openLink`.',
    example: "gantry.ui.openLink('https://…')",
  },
  'starts-worker': {
    symptom: 'A worker does not start',
    what: "A worker is refused: a gadget is one thread (worker-src 'none').",
    cure: 'Do its work in the page itself, in small parts.',
  },
  'form-submit': {
    symptom: 'A form is not sent',
    what: ({ address }: Addressed) =>
      `A form of the app is not sent${address ? ` to ${address}` : ''}: nothing leaves the frame but calls (form-action 'none').`,
    cure: "Listen to the form's `submit`, which `requestSubmit()` causes, too, call `event.preventDefault()`, and do with the fields what it is for.",
    example: "form.addEventListener('submit', (event) => { event.preventDefault(); … })",
  },
  'base-element': {
    symptom: 'The base element of the page does nothing',
    what: "The base element of the page is ignored: it could lead all of its addresses elsewhere (base-uri 'none').",
    cure: 'Leave it out, and name files relative to the page.',
  },
  downloads: {
    symptom: 'A link with download does nothing',
    what: 'A download is refused without an error (no allow-downloads).',
    cure: 'Show the data in the page, to select and copy, or open the address of a server that sends the file with `gantry.ui.openLink`.',
  },
  'uses-device': {
    symptom: 'The camera, clipboard or place of the member is not to be had, nor a wake lock',
    what: 'The app uses {name}, which frames of apps are denied (Permissions-Policy).',
    cure: ({ name }: { name: string }) =>
      name === 'navigator.clipboard'
        ? 'Show the text in a field, to select and copy, or offer `gantry.ui.share`.'
        : 'Remove it: a site cannot allow it.',
  },
  'full-screen': {
    symptom: 'Full screen does nothing',
    what: 'The app asks for full screen, which is refused: the page around it owns the screen (fullscreen=()).',
    cure: 'Go to the large view `canvas`, after a click of the member.',
    example: "if (gantry.context.view !== 'canvas') gantry.views.navigate('canvas')",
  },
  'web-share': {
    symptom: 'navigator.share does nothing',
    what: 'navigator.share is refused in frames of apps.',
    cure: 'Let the page share, after a click of the member: it copies where the browser cannot share.',
    example: "gantry.ui.share({ title: '…', url: 'https://…' })",
  },
  notifications: {
    symptom: 'A notification does not appear',
    what: 'Notifications are refused in frames of apps, without a question to the member.',
    cure: 'Show a toast to the member who looks, and post an activity for those who do not.',
    example: "gantry.ui.toast('…')",
  },
  payments: {
    symptom: 'A payment does not start',
    what: 'PaymentRequest is refused in frames of apps (payment=()).',
    cure: "Open your shop's page with `gantry.ui.openLink`: an app cannot take payments.",
  },
  'browser-storage': {
    symptom: 'localStorage, IndexedDB or a cookie throws a SecurityError',
    what: 'The app keeps data in the browser ({name}), which its frame refuses: it has no origin of its own.',
    cure: 'Keep what belongs to the place with `gantry.state`, what belongs to the member with `osapi.appdata`; or ask for `"storage": true` in gadget.json, for sites that give each app a host.',
    example: 'await gantry.state.set({ tab: 2 })',
  },
  'storage-needs-host': {
    symptom: 'A site does not show an app that asks for storage',
    what: 'Only sites that give each app its own host show an app that asks for storage.',
    cure: 'Let the site set `gantry serve --apps-host *.apps.example`, or do without storage of the browser.',
  },
  'no-sdk': {
    symptom: 'The app does not start: it says nothing to its page',
    what: ({ global, isSilent }: { global?: string; isSilent?: boolean }) =>
      global
        ? `The app uses ${global} before it loaded the SDK.`
        : isSilent
          ? startProblems['no-sdk'].what
          : 'The page does not load /gantry/osapi.js: without the SDK the app does not start.',
    cure: ({ isRemote }: Remote) => startProblems['no-sdk'][isRemote ? 'cureOfRemote' : 'cure'],
    example: ({ isRemote }: Remote) => (isRemote ? '<script src="osapi.js"></script>' : sdkTag),
  },
  'page-unreachable': {
    symptom: 'The gadget stays empty, and then a card says that it is not available',
    ...startProblems['page-unreachable'],
  },
  'frame-refused': { symptom: 'No app at all loads on a page', ...startProblems['frame-refused'] },
  'version-mismatch': {
    symptom: 'A card says that the app was made for another version of the site',
    what: 'The SDK that the app ships and this page have no version of the protocol in common.',
    cure: 'Load the SDK of the site, which always fits, or update @gantry/osapi and build the app again.',
    example: sdkTag,
  },
  'unknown-call': {
    symptom: 'A function of osapi, gadgets or gantry is called that does not exist',
    what: '{name} does not exist.',
    cure: ({ meant, calls }: Meant & { calls: string | undefined }) =>
      meant
        ? `Did you mean osapi.${meant}?`
        : calls
          ? `The calls are ${calls}; a site can lack some of them.`
          : 'Look it up in the guide for app authors, and check the spelling.',
    example: ({ meant }: Meant) => meant && `osapi.${meant}()`,
  },
  'unknown-parameter': {
    symptom: 'A parameter of a call has no effect',
    what: '{call} has no parameter {name}: it is ignored.',
    cure: ({ meant, names }: Meant & { names: string }) =>
      meant ? `Write ${meant} instead.` : `Leave it out: there are ${names}.`,
    example: ({ call, meant }: Meant & { call: string }) => meant && `osapi.${call}({ ${meant}: … })`,
  },
  'object-as-text': {
    symptom: 'What was saved reads [object Object]',
    what: '{call} saves the text [object Object]: the app made text of an object.',
    cure: 'Pass the object as it is: it is saved as JSON.',
  },
  'not-a-module': {
    symptom: 'A script that imports or exports does not run',
    what: '{script} has imports or exports and is loaded as a plain script, so it does not run: {message}.',
    cure: 'Write `type="module"` into its script tag.',
    example: '<script type="module" …',
  },
  throws: {
    symptom: 'The app throws an error that it does not catch',
    what: 'The app threw an error that it does not catch{at}: {message}',
    cure: ({ isRejection, message }: { isRejection: boolean | undefined; message: string }) =>
      message === 'Script error.'
        ? 'Write `crossorigin` into the tags of its scripts, whose server sends Access-Control-Allow-Origin: *. Browsers then name the error and its place.'
        : isRejection
          ? 'Correct it there, or catch it: a rejected promise without `catch` ends what the app was about.'
          : 'Correct it there: what comes after it in that script does not run.',
    example: ({ line }: { line: string | undefined }) => line,
  },
  'file-missing': {
    symptom: 'A file of the app is not there',
    what: "{name} is not in the app's folder: the element that names it stays empty.",
    cure: ({ meant }: Meant) =>
      meant ? `Did you mean ${meant}?` : 'Add the file, or correct its name; capitals count.',
    example: ({ meant }: Meant) => meant,
  },
  'absolute-path': {
    symptom: 'A file whose address begins with / does not load',
    what: '{path} is no file of the app: an address that begins with / leads to the site.',
    cure: "Name files relative to the page, in a Vite build with `base: './'`; only /gantry/ is there for apps.",
    example: ({ path }: { path: string }) => `.${path}`,
  },
  'no-version': {
    symptom: 'A folder is too large for a version',
    what: 'No version can be made of this folder: {mistake}',
    cure: 'Leave out what no page loads, or name the folder with the built app.',
  },
  'file-not-served': {
    symptom: 'A file of the folder does not load on a site',
    what: '{name} is in the folder, and a site does not serve it.',
    cure: 'Name a file that a page can load, outside of tests and packages; build TypeScript first.',
  },
  'picture-missing': {
    symptom: 'A picture that the data of the site name is not there',
    what: "The site's data name the picture {path}, which is not there{oddity}.",
    cure: 'Listen for the error event of the img element, and show something in its place.',
  },
  'file-failed': {
    symptom: 'A file of another server is not there',
    what: '{address} did not load: its server does not have it, or sends no Access-Control-Allow-Origin.',
    cure: "Correct the address, or save the file in the app's folder.",
  },
  'resize-loop': {
    symptom: 'The gadget grows, or its height jumps',
    what: "The app's height depends on that of its own frame (100vh, 100%), so it would grow for ever: the page holds one height.",
    cure: 'Let the content decide the height, or say `"sizing": "fixed"` and `height` in gadget.json.',
    example: 'html, body { height: auto; margin: 0 }',
  },
  'cut-off': {
    symptom: 'The lower part of the gadget is cut off',
    what: "The app's content is taller than its frame, and the app never sets the height.",
    cure: 'Call `gadgets.window.adjustHeight()` after each change of the content, or let the frame follow it.',
    example: '"sizing": "automatic"',
  },
  'silent-dialog': {
    symptom: 'alert, confirm, prompt or print does nothing',
    what: '{name}() does nothing in a gadget: the page around it owns dialogs (no allow-modals).',
    cure: 'Ask with a dialog of the page, which returns a promise.',
    example: ({ name }: { name: string }) => dialogs[name],
  },
  'silent-window': {
    symptom: 'window.open or a link to a new tab does nothing',
    what: ({ address }: Addressed) =>
      `window.open and links to a new tab do nothing in a gadget${address ? `: ${address} is not opened` : ''} (no allow-popups).`,
    cure: 'Let the page open it, after a click of the member.',
    example: ({ address }: Addressed) => `gantry.ui.openLink(${JSON.stringify(address || 'https://…')})`,
  },
  'left-page': {
    symptom: "A link or script leaves the app's page",
    what: ({ isStopped }: { isStopped?: boolean }) =>
      `The app's document went to another address${isStopped ? ' at each of four loads, so it was stopped.' : ', so the page loads it anew.'}`,
    cure: 'Open addresses with `gantry.ui.openLink`, and show other views of the app with `gantry.views.navigate`.',
    example: "gantry.views.navigate('canvas')",
  },
  busy: {
    symptom: 'The gadget does not answer',
    what: ({ seconds }: { seconds?: number }) =>
      `A script of the app ${seconds ? `ran for ${seconds} seconds` : 'runs'} without a pause, so it does not answer.`,
    cure: 'Look for a loop that does not end, and do long work in parts, with a pause after each.',
  },
  flood: {
    symptom: 'The app was cut off from its page',
    what: 'The app sent more messages than a page takes, or such that are no calls, and was cut off.',
    cure: 'Ask once and keep the result, use `subscribe` for what changes, and leave `postMessage` to the SDK.',
  },
  unreadable: {
    symptom: 'gantry app check did not look at all of a file',
    what: 'Not all of the file was looked at, since it {mistake}.',
    cure: 'Correct it there, or leave the file out of the folder.',
  },
  'built-file': {
    symptom: 'gantry app check names a file without a line',
    what: '{file} is built into long lines, so problems far to the right are named once each, without their places.',
    cure: 'Check the folder of its sources, which has the lines.',
  },
  'unused-call': {
    symptom: 'Members are asked for more than the app does',
    what: 'Members are asked for {call}, which no script of the folder calls.',
    cure: 'Remove it from `uses`: members rather allow fewer permissions.',
  },
  'unused-host': {
    symptom: 'Members are shown a host that the app does not use',
    what: 'Members are shown {origin}, which no file of the folder names.',
    cure: 'Remove it from `hosts`.',
  },
  'run-needs': {
    symptom: 'Part of the app does nothing with the gadget.json that it has',
    what: 'The last run needed {name}, which {list} does not list.',
    cure: 'Add it, or run `gantry app check --fix`: members are asked for it.',
  },
  'not-tried': {
    symptom: 'A run of the app was too short to fit gadget.json to it',
    what: 'Members are asked for {call}, which the app can call and the last run did not.',
    cure: 'Use that part of the app, or remove it from `uses`.',
  },
  'preload-never-hit': {
    symptom: 'A preload does not make the start faster',
    what: 'preload[{index}], {call}, has other params than all calls of the last run.',
    cure: 'Write the params as the app sends them, or remove the preload.',
  },
  'old-run': {
    symptom: 'Lines of gadget.json that no run needs stay',
    what: 'The last run of `gantry dev` is older than gadget.json or the code.',
    cure: 'Run `gantry dev` again: until then nothing is added or removed.',
  },
} as const satisfies Readonly<Record<string, Row>>;

type Rows = typeof problems;
export type ProblemId = keyof Rows;

type Named<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;
type FactsOf<Texts extends Row> = Readonly<Record<Named<Texts['what' | 'cure']>, string | number>> &
  (Extract<Texts[keyof Texts], Facts<never>> extends Facts<infer Needed> ? Needed : never);
type Arguments<Needed> = object extends Needed ? [facts?: Needed] : [facts: Needed];

/** Puts a problem into words. @param facts Named by the texts of this problem. */
export function problem<Id extends ProblemId>(id: Id, ...given: Arguments<FactsOf<Rows[Id]>>): ProblemTexts {
  const [facts = {}]: readonly (object | undefined)[] = given;
  const { what, cure, example = '' }: Row = problems[id];
  const line = read(example, facts);
  return { id, what: read(what, facts), cure: read(cure, facts), ...(line && { example: line }) };
}

function read(text: string | Facts<never>, facts: object): string {
  if (typeof text === 'function') return text(facts as never) ?? '';
  return text.replace(/\{(\w+)\}/g, (all, name) => String((facts as Record<string, unknown>)[name] ?? all));
}

const dialogs: Readonly<Record<string, string>> = {
  alert: "await gantry.ui.dialog({ text: '…' })",
  confirm: "if (await gantry.ui.confirm('…')) …",
  prompt: 'put a field into the page',
  print: 'offer the text to copy',
};
