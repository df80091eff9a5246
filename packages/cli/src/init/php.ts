import { gadgetPage } from './gadget-page.ts';
import { mark } from './made-file.ts';

/** Keeps the cookie fresh while a page with gadgets stays open. */
const refresh = '    <script>setInterval(() => fetch(location.href), 240000)</script>\n';

/**
 * Writes the PHP functions that tell Gantry who is signed in.
 *
 * @param envFile Path of the settings, relative to the file.
 */
export function phpViewer(envFile: string): string {
  const path = envFile.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `<?php
// ${mark}: tells Gantry who is signed in. The file is yours; change what you like.
declare(strict_types=1);

/**
 * Makes the token that names a member, by the id in the site's own table: five minutes, and only this site can sign it.
 * A member whom Gantry meets for the first time becomes known by the name.
 */
function gantry_viewer(string $member, string $name): string
{
    $part = fn (string $data): string => rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
    $url = gantry_setting('GANTRY_URL');
    $claims = ['sub' => $member, 'name' => $name, 'aud' => $url, 'iat' => time(), 'exp' => time() + 300];
    $text = $part('{"alg":"HS256","typ":"JWT"}') . '.' . $part(json_encode($claims, JSON_THROW_ON_ERROR));
    return $text . '.' . $part(hash_hmac('sha256', $text, gantry_setting('GANTRY_VIEWER_KEY'), true));
}

/** Sets the cookie with the token, or clears it for null. Call it with every page that has gadgets, and at sign-out. */
function gantry_send_viewer(?string $member, string $name = ''): void
{
    $https = str_starts_with(gantry_setting('GANTRY_URL'), 'https:');
    setcookie($https ? '__Host-gantry_viewer' : 'gantry_viewer', $member === null ? '' : gantry_viewer($member, $name), [
        'expires' => $member === null ? 1 : time() + 300,
        'path' => '/',
        'secure' => $https,
        'httponly' => true,
        'samesite' => 'Lax',
    ]);
}

/** Reads a setting from the environment, else from the file that Gantry is started with. */
function gantry_setting(string $name): string
{
    $value = getenv($name);
    if (is_string($value) && $value !== '') {
        return $value;
    }
    $file = (string) file_get_contents(__DIR__ . '/${path}');
    if (preg_match('/^' . $name . '=(.+)$/m', $file, $found) !== 1) {
        throw new RuntimeException("$name is not set");
    }
    return trim($found[1]);
}
`;
}

/** Writes the page with gadgets. @param options.viewer Path of the functions, relative to the page. */
export function phpPage({ viewer, sessionKey }: { readonly viewer: string; readonly sessionKey: string }): string {
  return `<?php
declare(strict_types=1);
require __DIR__ . '/${viewer}';

session_start();
$member = $_SESSION['${sessionKey}'] ?? null; // the id of the member who is signed in
$member = is_array($member) ? $member['id'] ?? null : $member;
gantry_send_viewer($member === null ? null : (string) $member, "Member $member"); // put the name here that the site shows
// Frames of this page show apps and nothing else, so no app can take its frame elsewhere.
header('Content-Security-Policy: frame-src ' . gantry_setting('GANTRY_URL') . '/gantry/apps/');
?>
${gadgetPage(refresh)}`;
}
