import hashlib
import hmac
import json
import os
import re

import click
from flask import Flask, abort, g, make_response, redirect, render_template, request, session

from werkzeug.middleware.proxy_fix import ProxyFix

from gantry import set_viewer
from members import (
    allow_attempt,
    begin_session,
    check_password,
    end_session,
    find_session,
    forget_attempt,
    world,
)

URL = os.environ['GANTRY_URL']
SCRIPTS = f'{URL}/static/site.js {URL}/gantry/container.js {URL}/gantry/chunks/'

app = Flask(__name__)
app.wsgi_app = ProxyFix(app.wsgi_app, x_for=1)  # the visitor's address, as Caddy passes it on
app.config.update(
    # A key of its own for sessions, out of the one secret that the site keeps.
    SECRET_KEY=hmac.new(os.environ['GANTRY_VIEWER_KEY'].encode(), b'flask session', hashlib.sha256).digest(),
    SESSION_COOKIE_SAMESITE='Lax',
    SESSION_COOKIE_SECURE=URL.startswith('https:'),
    MAX_CONTENT_LENGTH=100_000,
)


@app.before_request
def find_member():
    # Browsers name the page that a form came from. One of another site signs nobody in or out.
    if request.method == 'POST' and request.headers.get('Origin') != URL:
        abort(403)
    g.member = find_session(session['secret']) if 'secret' in session else None


@app.after_request
def protect(response):
    # Scripts are named by path and frames by address, so that no gadget gets out of its frame.
    response.headers['Content-Security-Policy'] = (
        f"default-src 'self'; script-src {SCRIPTS}; frame-src {URL}/gantry/apps/; img-src 'self' data:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    if request.endpoint != 'static':
        response.headers['Cache-Control'] = 'private, no-store'
    return response


@app.teardown_appcontext
def close_database(_error):
    if 'db' in g:
        g.db.close()


@app.get('/')
def home():
    return set_viewer(make_response(render_template('home.html')), g.member)


@app.get('/sign-in')
def sign_in_page():
    return render_template('sign-in.html', back=own_path(request.args.get('return')))


@app.post('/sign-in')
def sign_in():
    back = own_path(request.form.get('return'))
    name = request.form.get('name', '')
    if not allow_attempt(name, request.remote_addr):
        return render_template('sign-in.html', back=back, problem='Too many attempts. Wait a quarter of an hour.'), 429
    member = check_password(name, request.form.get('password', ''))
    if member is None:
        return render_template('sign-in.html', back=back, problem='Name or password is wrong.'), 422
    forget_attempt(name, request.remote_addr)
    forget_session()  # one that somebody else knew before is not this one
    session['secret'] = begin_session(member)
    return set_viewer(redirect(back, 303), member)


@app.post('/sign-out')
def sign_out():
    forget_session()
    return set_viewer(redirect('/', 303), None)  # gadgets can do nothing from here on


@app.post('/refresh-viewer')
def refresh_viewer():
    return set_viewer(make_response('', 204 if g.member else 401), g.member)


@app.cli.command('world')
def print_world():
    """Print members and friendships for gantry import."""
    click.echo(json.dumps(world()))


def forget_session():
    if 'secret' in session:
        end_session(session['secret'])
    session.clear()


def own_path(path):
    """Return a path of this site; anything that leads elsewhere, such as //evil.example, becomes the home page."""
    return path if path and re.fullmatch(r'/(?![/\\])[\x21-\x7e]*', path) else '/'
