<?php
declare(strict_types=1);

/**
 * Sets the cookie that names the signed-in member to Gantry: a token of five minutes, signed by this site.
 *
 * Call it with every page, and with null at a sign-out. Gantry adds an unknown member under the token's name.
 */
function gantry_viewer(?array $member): void
{
    $url = getenv('GANTRY_URL');
    $https = str_starts_with($url, 'https:');
    $port = parse_url($url, PHP_URL_PORT); // sites on ports of one host share its cookies
    $name = ($https ? '__Host-' : '') . 'gantry_viewer' . ($port ? "_$port" : '');
    setcookie($name, $member ? gantry_token($member, $url) : '', [
        'expires' => $member ? time() + 300 : 1,
        'path' => '/',
        'secure' => $https,
        'httponly' => true,
        'samesite' => 'Lax',
    ]);
}

function gantry_token(array $member, string $url): string
{
    $part = fn (string $data): string => rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
    $claims = [
        'sub' => $member['id'],
        'name' => $member['display_name'],
        'aud' => $url,
        'iat' => time(),
        'exp' => time() + 300,
    ];
    $text = $part('{"alg":"HS256","typ":"JWT"}') . '.' . $part(json_encode($claims, JSON_THROW_ON_ERROR));
    return $text . '.' . $part(hash_hmac('sha256', $text, getenv('GANTRY_VIEWER_KEY'), true));
}
