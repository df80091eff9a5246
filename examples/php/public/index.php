<?php
declare(strict_types=1);
require __DIR__ . '/../gantry.php';
require __DIR__ . '/../members.php';
require __DIR__ . '/../pages.php';

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (PHP_SAPI === 'cli-server' && in_array($path, ['/style.css', '/site.js'], true)) {
    return false; // a file, which PHP's own server sends
}

$url = getenv('GANTRY_URL');
session_save_path(__DIR__ . '/../data/sessions');
session_start([
    'cookie_httponly' => true,
    'cookie_samesite' => 'Lax',
    'cookie_secure' => str_starts_with($url, 'https:'),
    'use_strict_mode' => true, // rejects session ids that it did not create
]);
$member = isset($_SESSION['member']) ? find_member($_SESSION['member']) : null;

// Browsers name the page that a form came from. One of another site signs nobody in or out.
if ($_SERVER['REQUEST_METHOD'] === 'POST' && ($_SERVER['HTTP_ORIGIN'] ?? '') !== $url) {
    http_response_code(403);
    exit('This form was sent from another site.');
}

switch ("{$_SERVER['REQUEST_METHOD']} $path") {
    case 'GET /':
        gantry_viewer($member);
        home_page($member);
        break;

    case 'GET /sign-in':
        sign_in_page(own_path($_GET['return'] ?? '/'));
        break;

    case 'POST /sign-in':
        [$name, $password] = [text('name'), text('password')];
        $address = $_SERVER['HTTP_X_FORWARDED_FOR'] ?? $_SERVER['REMOTE_ADDR']; // nginx replaces what a visitor claims
        if (!allow_attempt($name, $address)) {
            http_response_code(429);
            sign_in_page(own_path($_POST['return'] ?? '/'), $name, 'Too many attempts. Wait a quarter of an hour.');
            break;
        }
        $member = check_password($name, $password);
        if (!$member) {
            http_response_code(422);
            sign_in_page(own_path($_POST['return'] ?? '/'), $name, 'Name or password is wrong.');
            break;
        }
        forget_attempt($name, $address);
        session_regenerate_id(true); // a new id prevents session fixation
        $_SESSION['member'] = $member['id'];
        gantry_viewer($member);
        header('Location: ' . own_path($_POST['return'] ?? '/'), true, 303);
        break;

    case 'POST /sign-out':
        session_destroy();
        setcookie(session_name(), '', ['expires' => 1, 'path' => '/']);
        gantry_viewer(null); // gadgets lose access now
        header('Location: /', true, 303);
        break;

    case 'POST /refresh-viewer':
        gantry_viewer($member);
        http_response_code($member ? 204 : 401);
        break;

    default:
        http_response_code(404);
        page('Not found', $member, '<h1>There is nothing here</h1>');
}

function text(string $field): string
{
    return is_string($_POST[$field] ?? null) ? $_POST[$field] : '';
}

/** Returns a path of this site; anything that leads elsewhere, such as `//evil.example`, becomes the home page. */
function own_path(mixed $return): string
{
    return is_string($return) && preg_match('#^/(?![/\\\\])[\x21-\x7e]*$#D', $return) ? $return : '/';
}
