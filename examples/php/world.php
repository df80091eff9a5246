<?php
// Prints members and friendships as a world file: php world.php > data/world.json, then gantry import data/world.json
declare(strict_types=1);
require __DIR__ . '/members.php';

$members = database()->query('select id, display_name as displayName from member')->fetchAll();
$friendships = database()->query('select a, b from friendship')->fetchAll(PDO::FETCH_NUM);
$site = ['name' => 'Boathouse'];
echo json_encode(compact('site', 'members', 'friendships'), JSON_THROW_ON_ERROR), "\n";
