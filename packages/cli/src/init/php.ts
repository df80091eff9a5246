import { isAbsolute } from 'node:path';
import { gadgetPage, refreshScript } from './gadget-page.ts';
import { mark, quoted } from './generated-file.ts';

/** Returns the PHP functions that send the member to Gantry. `envFile` may be relative to them. */
export function phpViewer(envFile: string): string {
  return `<?php
// ${mark}: names the signed-in member to Gantry. The file is yours; change what you like.
declare(strict_types=1);

/** Makes the token that names a member, valid for five minutes. Gantry saves a new member. */
function gantry_viewer(string $member, string $name): string
{
    $part = fn (string $data): string => rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
    $url = gantry_setting('GANTRY_URL');
    $claims = ['sub' => $member, 'name' => $name, 'aud' => $url, 'iat' => time(), 'exp' => time() + 300];
    $text = $part('{"alg":"HS256","typ":"JWT"}') . '.' . $part(json_encode($claims, JSON_THROW_ON_ERROR));
    return $text . '.' . $part(hash_hmac('sha256', $text, gantry_setting('GANTRY_VIEWER_KEY'), true));
}

/** Sets the token's cookie; null clears it. Call it on pages with gadgets and at sign-out. */
function gantry_send_viewer(?string $member, string $name = ''): void
{
    $https = str_starts_with(gantry_setting('GANTRY_URL'), 'https:');
    $port = parse_url(gantry_setting('GANTRY_URL'), PHP_URL_PORT); // sites on ports of one host share its cookies
    $cookie = ($https ? '__Host-' : '') . 'gantry_viewer' . ($port ? "_$port" : '');
    setcookie($cookie, $member === null ? '' : gantry_viewer($member, $name), [
        'expires' => $member === null ? 1 : time() + 300,
        'path' => '/',
        'secure' => $https,
        'httponly' => true,
        'samesite' => 'Lax',
    ]);
}

/** Reads a setting from the environment, else from Gantry's settings file. */
function gantry_setting(string $name): string
{
    $value = getenv($name);
    if (is_string($value) && $value !== '') {
        return $value;
    }
    $file = (string) file_get_contents(${isAbsolute(envFile) ? quoted(envFile) : `__DIR__ . ${quoted(`/${envFile}`)}`});
    if (preg_match('/^' . $name . '=(.+)$/m', $file, $found) !== 1) {
        throw new RuntimeException("$name is not set");
    }
    return trim($found[1]);
}
`;
}

/** Returns the page with gadgets. `viewer` is the path of the functions, relative to it. */
export function phpPage({ viewer, sessionKey }: { readonly viewer: string; readonly sessionKey: string }): string {
  return `<?php
declare(strict_types=1);
require __DIR__ . '/${viewer}';

session_start();
$member = $_SESSION['${sessionKey}'] ?? null; // the id of the member who is signed in: a guess
$member = is_array($member) ? $member['id'] ?? null : $member;
gantry_send_viewer($member === null ? null : (string) $member, "Member $member"); // put the name here that the site shows
// Frames of this page show apps and nothing else, so no app can take its frame elsewhere.
header('Content-Security-Policy: frame-src ' . gantry_setting('GANTRY_URL') . '/gantry/apps/');
?>
${gadgetPage(refreshScript)}`;
}
