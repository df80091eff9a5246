<?php
declare(strict_types=1);

function e(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
}

function home_page(?array $member): void
{
    page('Boathouse', $member, $member
        ? '<h1>Good to see you, ' . e($member['display_name']) . '</h1>
    <gantry-gadget app="friends" heading></gantry-gadget>
    <gantry-gadget app="notes" heading></gantry-gadget>'
        : '<h1>A place for those who row</h1>
    <p>Friends and notes are for members. <a class="button" href="/sign-in">Sign in</a></p>');
}

function sign_in_page(string $return, string $name = '', string $problem = ''): void
{
    page('Sign in', null, '<h1>Sign in</h1>'
        . ($problem === '' ? '' : '<p role="alert">' . e($problem) . '</p>') . '
    <form class="sign-in" method="post" action="/sign-in">
      <input type="hidden" name="return" value="' . e($return) . '">
      <label>Name <input name="name" value="' . e($name) . '" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button type="submit">Sign in</button>
    </form>');
}

/** Sends a page. Scripts are named by path and frames by address, so that no gadget gets out of its frame. */
function page(string $title, ?array $member, string $main): void
{
    $url = getenv('GANTRY_URL');
    header("Content-Security-Policy: default-src 'self'; script-src $url/site.js $url/gantry/container.js"
        . " $url/gantry/chunks/; frame-src $url/gantry/apps/; img-src 'self' data:; object-src 'none';"
        . " base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
    header('Cache-Control: private, no-store');
    ?>
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title><?= e($title) ?></title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">
    <?php if ($member) { ?>
    <script type="module" src="/gantry/container.js"></script>
    <script type="module" src="/site.js"></script>
    <?php } ?>
  </head>
  <body>
    <header>
      <a href="/">Boathouse</a>
      <?php if ($member) { ?>
      <span><?= e($member['display_name']) ?></span>
      <form method="post" action="/sign-out" id="sign-out"><button type="submit">Sign out</button></form>
      <?php } ?>
    </header>
    <main>
    <?= $main ?>

    </main>
  </body>
</html>
<?php
}
