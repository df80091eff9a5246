import { isSourceOrigin } from './manifest.ts';

/**
 * Returns the `sandbox` of a frame, for its attribute and its document's header. With storage, an
 * app needs an origin of its own (security rule 4).
 */
export function sandboxOf({ storage }: { readonly storage: boolean }): string {
  return storage ? 'allow-scripts allow-forms allow-same-origin' : 'allow-scripts allow-forms';
}

/**
 * Builds the headers of every file of an app (security rule 5): a picture opened in a tab is a
 * document too, and an SVG has scripts.
 *
 * @param options.siteOrigin Origin of the container's page, the SDK and media.
 * @param options.mediaOrigins Further origins of the site's photos.
 * @param options.hosts Origins that the manifest declares.
 * @param options.storage The app keeps its origin.
 * @param options.ownHost `documentOrigin` serves apps only.
 */
export function appHeaders(options: {
  readonly documentOrigin: string;
  readonly siteOrigin: string;
  readonly mediaOrigins: readonly string[];
  readonly hosts: readonly string[];
  readonly storage: boolean;
  readonly ownHost: boolean;
}): Record<string, string> {
  const { documentOrigin, siteOrigin, mediaOrigins, hosts, storage, ownHost } = options;
  const others = [...new Set([siteOrigin, ...mediaOrigins, ...hosts.filter(isSourceOrigin)])].filter(
    (origin) => origin !== documentOrigin,
  );
  const sources = [documentOrigin, ...others].join(' '); // never 'self': WebKit matches nothing for opaque frames
  const policy = [
    `sandbox ${sandboxOf({ storage })}`,
    "default-src 'none'",
    `script-src 'unsafe-inline' ${sources}`, // the frame is the boundary, not the script list
    `style-src 'unsafe-inline' ${sources}`,
    `img-src data: blob: ${sources}`, // data: and blob: hold the app's own bytes and send nothing
    `font-src ${sources}`,
    `media-src ${sources}`,
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    `frame-ancestors ${siteOrigin}`,
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    // The same list again: it also covers self-navigation, WebRTC, preconnect and DNS.
    'Connection-Allowlist': `(${['response-origin', ...others.map((origin) => `"${origin}"`)].join(' ')})`,
    'Permissions-Policy': permissionsPolicy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*', // module scripts and fonts of an opaque frame are cross-origin requests
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cross-Origin-Embedder-Policy': 'credentialless', // pages with this header embed only frames with it
    ...(ownHost && { 'Origin-Agent-Cluster': '?1' }),
  };
}

// There is no wildcard: all names that Chromium knows. Browsers ignore unknown ones.
const permissionsPolicy = `
  accelerometer autoplay browsing-topics camera captured-surface-control clipboard-read clipboard-write compute-pressure
  cross-origin-isolated deferred-fetch digital-credentials-create digital-credentials-get display-capture
  encrypted-media fullscreen gamepad geolocation gyroscope hid identity-credentials-get idle-detection keyboard-map
  language-detector language-model local-fonts local-network local-network-access loopback-network magnetometer
  microphone midi on-device-speech-recognition otp-credentials payment picture-in-picture private-state-token-issuance
  private-state-token-redemption publickey-credentials-create publickey-credentials-get screen-wake-lock serial
  speaker-selection storage-access summarizer sync-xhr translator unload usb window-management xr-spatial-tracking`
  .trim()
  .split(/\s+/)
  .map((feature) => `${feature}=()`)
  .join(', ');
