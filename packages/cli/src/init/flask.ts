import { flaskApp } from './detect-framework.ts';
import { mark, quoted } from './generated-file.ts';
import type { Paste } from './plan.ts';

/**
 * Returns the Python module that sends the signed-in member to Gantry.
 *
 * @param options.up Number of folders between the module and the project's folder.
 * @param options.envFile Path of the settings, absolute or relative to the project's folder.
 */
export function flaskViewer(options: {
  readonly sessionKey: string;
  readonly up: number;
  readonly envFile: string;
}): string {
  const { sessionKey, up, envFile } = options;
  return `"""${mark}: names the signed-in member to Gantry. The file is yours; change what you like."""

import base64
import hashlib
import hmac
import json
import os
import time
from pathlib import Path
from urllib.parse import urlsplit

PROJECT = Path(__file__).resolve().parents[${up}]


def gantry_viewer(member, name):
    """Makes the token that names a member by the site's own id.

    It is valid for five minutes, and only this site can sign it. Gantry saves a new member under the name.
    """
    part = lambda data: base64.urlsafe_b64encode(data).rstrip(b'=')
    now = int(time.time())
    claims = {'sub': str(member), 'name': name, 'aud': gantry_setting('GANTRY_URL'), 'iat': now, 'exp': now + 300}
    text = part(b'{"alg":"HS256","typ":"JWT"}') + b'.' + part(json.dumps(claims).encode())
    key = gantry_setting('GANTRY_VIEWER_KEY').encode()
    return (text + b'.' + part(hmac.new(key, text, hashlib.sha256).digest())).decode()


def gantry_setting(name):
    """Reads a setting from the environment, else from Gantry's settings file."""
    if os.environ.get(name):
        return os.environ[name]
    for line in (PROJECT / ${quoted(envFile)}).read_text('utf-8').splitlines():
        if line.startswith(name + '='):
            return line.split('=', 1)[1]
    raise RuntimeError(name + ' is not set')


def add_gantry(app):
    """Adds the page with gadgets, and the cookie with the token to every response."""
    from flask import request, session

    @app.get('/gadgets.html')
    def gantry_gadgets():
        page = (PROJECT / 'gadgets.html').read_text('utf-8')
        # Frames of this page show apps and nothing else, so no app can take its frame elsewhere.
        return page, {'Content-Security-Policy': 'frame-src ' + gantry_setting('GANTRY_URL') + '/gantry/apps/'}

    @app.after_request
    def gantry_cookie(response):
        if request.endpoint == 'static':
            return response
        https = gantry_setting('GANTRY_URL').startswith('https:')
        port = urlsplit(gantry_setting('GANTRY_URL')).port  # sites on ports of one host share its cookies
        name = ('__Host-' if https else '') + 'gantry_viewer' + (f'_{port}' if port else '')
        member = session.get('${sessionKey}')  # the id of the member who is signed in: a guess
        if member is not None:
            token = gantry_viewer(member, 'Member ' + str(member))  # put the name here that the site shows
            response.set_cookie(name, token, max_age=300, secure=https, httponly=True, samesite='Lax')
        elif name in request.cookies:
            response.delete_cookie(name, secure=https, httponly=True, samesite='Lax')
        return response
`;
}

/** Returns the two lines for the file that creates the app, unless it has them. */
export function flaskPaste(path: string, text: string): Paste | undefined {
  if (/\bgantry_viewer\b/.test(text)) return undefined;
  const { name, line } = flaskApp(text) ?? { name: 'app', line: 1 };
  const from = /(^|\/)__init__\.py$/.test(path) ? '.gantry_viewer' : 'gantry_viewer';
  const lines = [`from ${from} import add_gantry`, `add_gantry(${name})`];
  return { path, line, where: 'after the app is made', lines };
}
