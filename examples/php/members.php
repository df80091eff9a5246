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
