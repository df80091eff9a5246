import { UsageError } from '@gantry/server';
import { flaskApp } from './detect.ts';
import { endOfLine, indentAt, insert, lineOf } from './edit-text.ts';
import { mark } from './made-file.ts';
import { closingBracket, maskPython } from './mask-code.ts';

/** Keeps the cookie fresh while a page with gadgets stays open. */
export const flaskRefresh = '    <script>setInterval(() => fetch(location.href), 240000)</script>\n';

/**
 * Writes the Python module that tells Gantry who is signed in.
 *
 * @param options.up Number of folders between the module and the project's folder.
 */
export function flaskViewer({ sessionKey, up }: { readonly sessionKey: string; readonly up: number }): string {
  return `"""${mark}: tells Gantry who is signed in. The file is yours; change what you like."""

import base64
import hashlib
import hmac
import json
import os
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[${up}]


def gantry_viewer(member, name):
    """Makes the token that names a member, by the id in the site's own table: five minutes, and only this site can sign it.

    A member whom Gantry meets for the first time becomes known by the name.
    """
    part = lambda data: base64.urlsafe_b64encode(data).rstrip(b'=')
    now = int(time.time())
    claims = {'sub': str(member), 'name': name, 'aud': gantry_setting('GANTRY_URL'), 'iat': now, 'exp': now + 300}
    text = part(b'{"alg":"HS256","typ":"JWT"}') + b'.' + part(json.dumps(claims).encode())
    key = gantry_setting('GANTRY_VIEWER_KEY').encode()
    return (text + b'.' + part(hmac.new(key, text, hashlib.sha256).digest())).decode()


def gantry_setting(name):
    """Reads a setting from the environment, else from the file that Gantry is started with."""
    if os.environ.get(name):
        return os.environ[name]
    for line in (PROJECT / 'gantry.env').read_text('utf-8').splitlines():
        if line.startswith(name + '='):
            return line.split('=', 1)[1]
    raise RuntimeError(name + ' is not set')


def add_gantry(app):
    """Adds the page with gadgets, and the cookie with the token to every answer."""
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
        name = '__Host-gantry_viewer' if https else 'gantry_viewer'
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
 * Inserts the import and the call after the statement that makes the app.
 *
 * @throws UsageError that says what to insert, where the statement is not understood.
 */
export function wireFlask(path: string, text: string): string {
  const { bare, code } = maskPython(text);
  if (/^\s*(?:from\s+[\w.]*gantry_viewer\s+import|import\s+gantry_viewer)\b/m.test(code)) return text;
  const found = flaskApp(text);
  const close = found ? closingBracket(bare, found.open) : -1;
  const line = close === -1 ? 0 : endOfLine(text, close);
  if (!found || close === -1 || bare.slice(close + 1, line).trim() !== '') {
    throw new UsageError(
      `${path}:${found ? lineOf(text, found.at) : 1} is not understood well enough to insert after it. Import add_gantry from gantry_viewer, call add_gantry(app) after the app is made, and run gantry init again.`,
    );
  }
  const indent = indentAt(text, found.at + (/^[ \t]*/.exec(text.slice(found.at))?.[0].length ?? 0));
  const isPackage = /(^|\/)__init__\.py$/.test(path);
  const breaks = text[line - 1] === '\n' ? '' : '\n';
  const added = `${indent}from ${isPackage ? '.' : ''}gantry_viewer import add_gantry\n\n${indent}add_gantry(${found.name})\n`;
  return insert(text, [{ at: line, text: `${breaks}\n${added}` }]);
}
