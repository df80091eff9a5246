import base64
import hashlib
import hmac
import json
import os
import time
from urllib.parse import urlsplit


def set_viewer(response, member):
    """Set the cookie that names the signed-in member to Gantry: a token of five minutes, signed by this site.

    Call it with every page, and with None at a sign-out. Gantry adds an unknown member under the token's name.
    """
    url = os.environ['GANTRY_URL']
    https = url.startswith('https:')
    port = urlsplit(url).port  # sites on ports of one host share its cookies
    response.set_cookie(
        ('__Host-' if https else '') + 'gantry_viewer' + (f'_{port}' if port else ''),
        viewer_token(member, url) if member else '',
        max_age=300 if member else 0,
        path='/',
        secure=https,
        httponly=True,
        samesite='Lax',
    )
    return response


def viewer_token(member, url):
    now = int(time.time())
    claims = {'sub': member['id'], 'name': member['display_name'], 'aud': url, 'iat': now, 'exp': now + 300}
    text = encode(b'{"alg":"HS256","typ":"JWT"}') + b'.' + encode(json.dumps(claims).encode())
    key = os.environ['GANTRY_VIEWER_KEY'].encode()
    return (text + b'.' + encode(hmac.new(key, text, hashlib.sha256).digest())).decode()


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=')
