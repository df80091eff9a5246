import { UsageError } from '@gantry/server';
import { endOfLine, indentAt, insert, lineOf } from '../project/edit-text.ts';
import { closingBracket, maskPython } from '../project/mask-code.ts';
import { flaskApp } from './detect-framework.ts';
import { mark, quoted } from './generated-file.ts';

/**
 * Returns the Python module that sends the signed-in member to Gantry.
 *
 * @param options.up Number of folders between the module and the project's folder.
 * @param options.envFile Path of the settings, absolute or relative to the project's folder.
 */
export function flaskViewer({
  sessionKey,
  up,
  envFile,
}: {
  readonly sessionKey: string;
  readonly up: number;
  readonly envFile: string;
}): string {
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
        member = session.get('${sessionKey}')  # the id of the member who is signed in
        if member is not None:
            token = gantry_viewer(member, 'Member ' + str(member))  # put the name here that the site shows
            response.set_cookie(name, token, max_age=300, secure=https, httponly=True, samesite='Lax')
        elif name in request.cookies:
            response.delete_cookie(name, secure=https, httponly=True, samesite='Lax')
        return response
`;
}

/**
 * Inserts the import and the call after the statement that creates the app.
 *
 * @throws UsageError with the lines to insert, if the statement is too complex.
 */
export function wireFlask(path: string, text: string): string {
  const { bare, code } = maskPython(text);
  if (/^\s*(?:from\s+[\w.]*gantry_viewer\s+import|import\s+gantry_viewer)\b/m.test(code)) return text;
  const found = flaskApp(text);
  const close = found ? closingBracket(bare, found.open) : -1;
  const line = close === -1 ? 0 : endOfLine(text, close);
  if (!found || close === -1 || bare.slice(close + 1, line).trim() !== '') {
    throw new UsageError(
      `${path}:${found ? lineOf(text, found.at) : 1} is too complex to insert after it safely. Import add_gantry from gantry_viewer, call add_gantry(app) after the app is made, and run gantry init again.`,
    );
  }
  const indent = indentAt(text, found.at + (/^[ \t]*/.exec(text.slice(found.at))?.[0].length ?? 0));
  const isPackage = /(^|\/)__init__\.py$/.test(path);
  const breaks = text[line - 1] === '\n' ? '' : '\n';
  const added = `${indent}from ${isPackage ? '.' : ''}gantry_viewer import add_gantry\n\n${indent}add_gantry(${found.name})\n`;
  return insert(text, [{ at: line, text: `${breaks}\n${added}` }]);
}
