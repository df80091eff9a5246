import hashlib
import ipaddress
import os
import secrets
import sqlite3
import time

from flask import g
from werkzeug.security import check_password_hash, generate_password_hash

TABLES = '''
    create table if not exists member
        (id text primary key, name text not null unique, display_name text not null, password_hash text not null);
    create table if not exists friendship (a text not null, b text not null, primary key (a, b));
    create table if not exists session (digest text primary key, member_id text not null references member (id));
    create table if not exists attempt (subject text primary key, count integer not null, resets_s integer not null);
'''
NOBODYS = generate_password_hash(secrets.token_hex())


def database():
    """Open the site's own database once for each request. The first start adds three members to try it with."""
    if 'db' not in g:
        os.makedirs('data', mode=0o700, exist_ok=True)
        g.db = sqlite3.connect('data/site.db')
        g.db.row_factory = sqlite3.Row
        g.db.executescript(TABLES)
        if g.db.execute('select count(*) from member').fetchone()[0] == 0:
            for member in [('m-1001', 'ada', 'Ada'), ('m-1002', 'bo', 'Bo'), ('m-1003', 'cy', 'Cy')]:
                g.db.execute('insert into member values (?, ?, ?, ?)', (*member, generate_password_hash('open sesame')))
            g.db.execute("insert into friendship values ('m-1001', 'm-1002'), ('m-1001', 'm-1003')")
            g.db.commit()
    return g.db


def check_password(name, password):
    """Return the member with this name and password. An unknown name takes as long as a wrong password."""
    member = database().execute('select * from member where name = ?', (name,)).fetchone()
    right = check_password_hash(member['password_hash'] if member else NOBODYS, password)
    return member if member and right else None


def allow_attempt(name, address):
    """Count an attempt before its password is checked: at most 10 wrong ones for a name and 50 from a network.

    They are forgotten after a quarter of an hour.
    """
    now = int(time.time())
    database().execute('delete from attempt where resets_s <= ?', (now,))
    count = 'insert into attempt values (?, 1, ?) on conflict (subject) do update set count = count + 1 returning count'
    counts = [database().execute(count, (subject, now + 900)).fetchone()[0] for subject in subjects(name, address)]
    database().commit()
    return counts[0] <= 10 and counts[1] <= 50


def forget_attempt(name, address):
    """Take back an attempt with the right password."""
    database().execute('update attempt set count = count - 1 where subject in (?, ?)', subjects(name, address))
    database().commit()


def subjects(name, address):
    # The first 64 bits of an IPv6 address: a home has as many as it likes.
    network = ipaddress.ip_network(f'{address}/64', strict=False) if ':' in address else address
    return digest(f'name {name.lower()}'), digest(f'network {network}')


def begin_session(member):
    """Return the secret of a new session. The table has its digest: whoever reads it cannot use it."""
    secret = secrets.token_urlsafe()
    database().execute('insert into session values (?, ?)', (digest(secret), member['id']))
    database().commit()
    return secret


def find_session(secret):
    query = 'select member.* from session join member on member.id = member_id where digest = ?'
    return database().execute(query, (digest(secret),)).fetchone()


def end_session(secret):
    database().execute('delete from session where digest = ?', (digest(secret),))
    database().commit()


def world():
    """Return members and friendships as a world file of Gantry."""
    members = database().execute('select id, display_name as displayName from member')
    friendships = database().execute('select a, b from friendship')
    return {'site': {'name': 'Boathouse'}, 'members': [*map(dict, members)], 'friendships': [*map(tuple, friendships)]}


def digest(secret):
    return hashlib.sha256(secret.encode()).hexdigest()
