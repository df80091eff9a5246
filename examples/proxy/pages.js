export function welcomePage() {
  return page({
    title: 'Harbour Street',
    main: html`<h1>Harbour Street</h1>
      <p>A neighbourhood by the water. Members find their friends here and keep notes.</p>
      <p><a class="button" href="/sign-in">Sign in</a></p>`,
  });
}

export function homePage({ displayName }) {
  return page({
    title: 'Harbour Street',
    head: html`<script type="module" src="/gantry/container.js"></script>
      <script type="module" src="/public/sign-out.js"></script>
      <script type="module" src="/public/refresh-viewer.js"></script>`,
    nav: html`<span>${displayName}</span>
      <form id="sign-out" method="post" action="/sign-out"><button type="submit">Sign out</button></form>`,
    main: html`<h1>Good to see you, ${displayName}</h1>
      <div class="gadgets">
        <gantry-gadget app="friends" heading="Friends" loading="eager"></gantry-gadget>
        <gantry-gadget app="notes" heading="Notes" loading="eager"></gantry-gadget>
      </div>`,
  });
}

export function signInPage({ back = '/', isWrong = false, isLimited = false }) {
  return page({
    title: 'Sign in · Harbour Street',
    main: html`<h1>Sign in</h1>
      ${isLimited ? html`<p role="alert">Too many attempts. Wait a quarter of an hour.</p>` : ''}
      ${isWrong ? html`<p role="alert">Name and password do not belong together.</p>` : ''}
      <form class="sign-in" method="post" action="/sign-in?return=${encodeURIComponent(back)}">
        <label for="name">Name</label>
        <input id="name" name="name" required autocomplete="username" autocapitalize="none" />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" required autocomplete="current-password" />
        <button type="submit">Sign in</button>
      </form>
      <p class="hint">Try <b>ada</b> or <b>bo</b> with the password <b>open sesame</b>.</p>`,
  });
}

function page({ title, head = '', nav = '', main }) {
  return String(html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/public/style.css" />
        ${head}
      </head>
      <body>
        <header><a href="/">Harbour Street</a>${nav}</header>
        <main>${main}</main>
      </body>
    </html>`);
}

/** Text that is markup already; every other value is escaped. */
class Markup extends String {}

function html(parts, ...values) {
  const texts = values.map((value) => (value instanceof Markup ? value : escaped(String(value))));
  return new Markup(String.raw({ raw: parts }, ...texts));
}

function escaped(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
