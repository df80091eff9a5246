import { type Finding, placesIn } from './finding.ts';
import { partsOf, type SourceParts } from './source-parts.ts';
import type { Source } from './sources.ts';

/**
 * A feature that app documents are refused (`packages/proxy/src/apps/document-headers.ts`), and its
 * patterns in the parts of a file; their first group is the place.
 */
interface Rule extends Readonly<Partial<Record<keyof SourceParts, RegExp>>> {
  readonly id: string;
  readonly what: string;
  readonly cure: string;
}

const rules: readonly Rule[] = [
  {
    id: 'form-submit',
    markup: /<(form\b[^<>]*?\s(?:action|method))\s*=/gi,
    what: "sends a form, which the frame's policy refuses (form-action 'none')",
    cure: 'Listen for "submit", call event.preventDefault(), and save with osapi.',
  },
  {
    id: 'form-submit',
    script: /[\w)\]]\s*\.\s*(submit\s*\(\s*\))/g,
    what: "sends a form, which the frame's policy refuses (form-action 'none')",
    cure: 'Call requestSubmit(), listen for "submit" and call event.preventDefault().',
  },
  {
    id: 'silent-window',
    script: /\b(window\s*\.\s*open)\s*\(/g,
    markup: /<(?:a|area|form|base)\b[^<>]*?\s(target\s*=\s*["']?(?!_self\b)[\w-]+)/gi,
    what: 'opens a window, which the sandbox refuses (no allow-popups)',
    cure: 'Call gantry.ui.openLink(url): the site asks the member.',
  },
  {
    id: 'silent-dialog',
    script: /(?<![\w$.]|function\s)((?:(?:window|globalThis|self)\s*\.\s*)?(?:alert|confirm|prompt|print))\s*\(/g,
    what: 'opens a dialog of the browser, which the sandbox leaves out without an error (no allow-modals)',
    cure: 'Call gantry.ui.toast(…), gantry.ui.confirm(…) or gantry.ui.dialog(…).',
  },
  {
    id: 'fetch-elsewhere',
    script: /(?<![\w$.])((?:(?:window|globalThis|self)\s*\.\s*)?fetch)\s*\(/g,
    what: "sends a request, which the frame's policy refuses (connect-src 'none')",
    cure: "Read and save with osapi, and put files into the app's folder.",
  },
  {
    id: 'fetch-elsewhere',
    script: /\b(new\s+(?:XMLHttpRequest|WebSocket|EventSource|WebTransport|RTCPeerConnection)|sendBeacon)\b/g,
    what: "sends a request, which the frame's policy refuses (connect-src 'none')",
    cure: 'Read and save with osapi, and receive changes with subscribe().',
  },
  {
    id: 'starts-worker',
    script: /\b(new\s+(?:Shared)?Worker|serviceWorker\s*\.\s*register)\b/g,
    what: "starts a worker, which the frame's policy refuses (worker-src 'none')",
    cure: 'Do the work in small pieces in the page.',
  },
  {
    id: 'eval',
    script: /(?<![\w$.])(eval\s*\(|new\s+Function\b)/g,
    what: "evaluates text as a script, which the frame's policy refuses (no 'unsafe-eval')",
    cure: 'Write it as a function, and read data with JSON.parse.',
  },
  {
    id: 'eval',
    script: /\b(WebAssembly\s*\.\s*(?:compile|instantiate)(?:Streaming)?|new\s+WebAssembly\s*\.\s*Module)\b/g,
    what: "compiles WebAssembly, which the frame's policy refuses (no 'wasm-unsafe-eval')",
    cure: 'Use a build of the library in JavaScript.',
  },
  {
    id: 'frame-inside',
    markup: /<(iframe|object|embed|frame)\b/gi,
    what: "embeds a document, which the frame's policy refuses (frame-src and object-src 'none')",
    cure: 'Show its content in the page itself.',
  },
  {
    id: 'base-element',
    markup: /<(base\b[^<>]*?\shref)\s*=/gi,
    what: "sets a base address, which the frame's policy refuses (base-uri 'none')",
    cure: 'Name files relative to the page.',
  },
  {
    id: 'downloads',
    markup: /<a\b[^<>]*?\s(download)(?=[\s=>])/gi,
    what: 'offers a download, which the sandbox refuses (no allow-downloads)',
    cure: 'Call gantry.ui.openLink(url) with an address of the site.',
  },
  {
    id: 'uses-device',
    script:
      /\bnavigator\s*\.\s*(geolocation|mediaDevices|clipboard|bluetooth|usb|hid|serial|credentials|wakeLock|requestMIDIAccess)\b/g,
    what: 'uses a device or the clipboard, which frames of apps are denied (Permissions-Policy)',
    cure: 'Remove it: a site cannot allow it.',
  },
  {
    id: 'full-height',
    style: /\b(100(?:[dsl]?vh|v(?:b|max)))\b/gi,
    what: "is as high as the frame, which is as high as the page's content: it grows, or stays at its first height",
    cure: 'Leave the height to the content, or say "sizing": "fixed" and "height" in gadget.json.',
  },
];

const partNames = ['script', 'markup', 'style'] as const;

/** Returns the features of a file that the sandbox refuses, in the order of its text. */
export function sandboxFindings(source: Source): readonly Finding[] {
  const parts = partsOf(source);
  const found = rules
    .flatMap((rule) =>
      partNames
        .flatMap((part) => (rule[part] ? [...parts[part].matchAll(rule[part])] : []))
        .map((match) => ({ rule, at: match.index + match[0].indexOf(match[1] as string) })),
    )
    .sort((a, b) => a.at - b.at);
  const placeOf = placesIn(source.text);
  return found.map(({ rule: { id, what, cure }, at }) => ({
    ...{ id, level: 'warning', file: source.path, ...placeOf(at), what, cure },
  }));
}
