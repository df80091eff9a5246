import { type Finding, placesIn } from './finding.ts';
import type { Source } from './sources.ts';

/** A feature that app documents are refused (`packages/proxy/src/apps/document-headers.ts`). */
interface Rule {
  readonly id: string;
  /** Matches uses. */
  readonly code: RegExp;
  readonly what: string;
  readonly cure: string;
}

const rules: readonly Rule[] = [
  {
    id: 'form-submit',
    code: /^<form (?:action|method)="(?!dialog"|µ)/,
    what: "sends a form, which the frame's policy refuses (form-action 'none')",
    cure: 'Listen for "submit", call event.preventDefault(), and save with osapi.',
  },
  {
    id: 'form-submit',
    code: /^(?!~(?:this|props)\.).*\.submit\(\)$/,
    what: "sends a form, which the frame's policy refuses (form-action 'none')",
    cure: 'Call requestSubmit(), listen for "submit" and call event.preventDefault().',
  },
  {
    id: 'silent-window',
    code: /^open\(|^<(?:a|area|form|base) target="(?!_self")[\w-]/,
    what: 'opens a window, which the sandbox refuses (no allow-popups)',
    cure: 'Call gantry.ui.openLink(url): the site asks the member.',
  },
  {
    id: 'silent-dialog',
    code: /^(?:alert|confirm|prompt|print)\(/,
    what: 'opens a dialog of the browser, which the sandbox leaves out without an error (no allow-modals)',
    cure: 'Call gantry.ui.toast(…), gantry.ui.confirm(…) or gantry.ui.dialog(…).',
  },
  {
    id: 'fetch-elsewhere',
    code: /^fetch\(/,
    what: "sends a request, which the frame's policy refuses (connect-src 'none')",
    cure: "Read and save with osapi, and put files into the app's folder.",
  },
  {
    id: 'fetch-elsewhere',
    code: /^new (?:XMLHttpRequest|WebSocket|EventSource|WebTransport|RTCPeerConnection)\(|\bsendBeacon\(/,
    what: "sends a request, which the frame's policy refuses (connect-src 'none')",
    cure: 'Read and save with osapi, and receive changes with subscribe().',
  },
  {
    id: 'starts-worker',
    code: /^new (?:Shared)?Worker\(|^navigator\.serviceWorker\.register\(/,
    what: "starts a worker, which the frame's policy refuses (worker-src 'none')",
    cure: 'Do the work in small pieces in the page.',
  },
  {
    id: 'eval',
    code: /^(?:eval|(?:new )?Function)\((?!"return this"\))|^set(?:Timeout|Interval)\("/,
    what: "evaluates text as a script, which the frame's policy refuses (no 'unsafe-eval')",
    cure: 'Write it as a function, and read data with JSON.parse.',
  },
  {
    id: 'eval',
    code: /^WebAssembly\.(?:compile|instantiate)(?:Streaming)?\(|^new WebAssembly\.Module\(/,
    what: "compiles WebAssembly, which the frame's policy refuses (no 'wasm-unsafe-eval')",
    cure: 'Use a build of the library in JavaScript.',
  },
  {
    id: 'frame-inside',
    code: /^<(?:iframe|object|embed|frame)>/,
    what: "embeds a document, which the frame's policy refuses (frame-src and object-src 'none')",
    cure: 'Show its content in the page itself.',
  },
  {
    id: 'base-element',
    code: /^<base href=/,
    what: "sets a base address, which the frame's policy refuses (base-uri 'none')",
    cure: 'Name files relative to the page.',
  },
  {
    id: 'downloads',
    code: /^<a download=/,
    what: 'offers a download, which the sandbox refuses (no allow-downloads)',
    cure: 'Call gantry.ui.openLink(url) with an address of the site.',
  },
  {
    id: 'uses-device',
    code: /^navigator\.(?:geolocation|mediaDevices|clipboard|bluetooth|usb|hid|serial|credentials|wakeLock|requestMIDIAccess)$/,
    what: 'uses a device or the clipboard, which frames of apps are denied (Permissions-Policy)',
    cure: 'Remove it: a site cannot allow it.',
  },
  {
    id: 'full-height',
    code: /^100(?:[dsl]?vh|v(?:b|max))$/,
    what: "is as high as the frame, which is as high as the page's content: it grows, or stays at its first height",
    cure: 'Leave the height to the content, or say "sizing": "fixed" and "height" in gadget.json.',
  },
];

/** Uses that are found at their last name, and others at their start. */
const isFoundAtName = /^navigator\.|\.(?:submit|sendBeacon)\(| (?:target|download)=/;

/** Returns the features of a file that the sandbox refuses, in the order of its text. */
export function sandboxFindings({ path, text, uses }: Source): readonly Finding[] {
  const found = uses
    .flatMap(({ code, at, nameAt }) =>
      rules
        .filter((rule) => rule.code.test(code))
        .map((rule) => ({ rule, at: isFoundAtName.test(code) ? nameAt : at })),
    )
    .sort((a, b) => a.at - b.at);
  const placeOf = placesIn(text);
  return found.map(({ rule: { id, what, cure }, at }) => ({
    ...{ id, level: 'warning', file: path, ...placeOf(at), what, cure },
  }));
}
