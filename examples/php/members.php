<?php
declare(strict_types=1);

/** Opens the site's own database: members and who is whose friend. The first start adds three members to try it with. */
function database(): PDO
{
    static $db;
    if ($db) {
        return $db;
    }
    $db = new PDO('sqlite:' . __DIR__ . '/data/site.db');
    $db->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_ASSOC);
    $db->exec('pragma busy_timeout = 5000');
    $db->exec('create table if not exists member
        (id text primary key, name text not null unique, display_name text not null, password_hash text not null)');
    $db->exec('create table if not exists friendship (a text not null, b text not null, primary key (a, b))');
    $db->exec('create table if not exists attempt
        (subject text primary key, count integer not null, resets_s integer not null)');
    if ($db->query('select count(*) from member')->fetchColumn() === 0) {
        $add = $db->prepare('insert into member values (?, ?, ?, ?)');
        foreach ([['m-1001', 'ada', 'Ada'], ['m-1002', 'bo', 'Bo'], ['m-1003', 'cy', 'Cy']] as $member) {
            $add->execute([...$member, password_hash('open sesame', PASSWORD_DEFAULT)]);
        }
        $db->exec("insert into friendship values ('m-1001', 'm-1002'), ('m-1001', 'm-1003')");
    }
    return $db;
}

function find_member(string $id): ?array
{
    $found = database()->prepare('select id, name, display_name from member where id = ?');
    $found->execute([$id]);
    return $found->fetch() ?: null;
}

/** Returns the member with this name and password. An unknown name takes as long as a wrong password. */
function check_password(string $name, string $password): ?array
{
    $found = database()->prepare('select id, password_hash from member where name = ?');
    $found->execute([$name]);
    $member = $found->fetch();
    $nobodys = '$2y$10$F63JAeA.lwrYwttbol.9ouZSwnRtTa1Jpu9ADNZrg2A40LU2c32kq';
    $right = password_verify($password, $member ? $member['password_hash'] : $nobodys);
    return $member && $right ? find_member($member['id']) : null;
}

/**
 * Counts an attempt before its password is checked: at most 10 wrong ones for a name and 50 from a network. They are
 * forgotten after a quarter of an hour.
 */
function allow_attempt(string $name, string $address): bool
{
    database()->prepare('delete from attempt where resets_s <= ?')->execute([time()]);
    $count = database()->prepare('insert into attempt values (?, 1, ?)
        on conflict (subject) do update set count = count + 1 returning count');
    $counts = [];
    foreach (attempt_subjects($name, $address) as $subject) {
        $count->execute([$subject, time() + 900]);
        $counts[] = $count->fetchColumn();
        $count->closeCursor();
    }
    return $counts[0] <= 10 && $counts[1] <= 50;
}

/** Takes back an attempt with the right password. */
function forget_attempt(string $name, string $address): void
{
    $forget = database()->prepare('update attempt set count = count - 1 where subject in (?, ?)');
    $forget->execute(attempt_subjects($name, $address));
}

function attempt_subjects(string $name, string $address): array
{
    $bytes = (string) @inet_pton($address);
    // The first 64 bits of an IPv6 address: a home has as many as it likes.
    $network = bin2hex(strlen($bytes) === 16 ? substr($bytes, 0, 8) : $bytes);
    return [hash('sha256', 'name ' . strtolower($name)), hash('sha256', "network $network")];
}
