import { gadgets, osapi } from '@gantry/osapi';

const list = document.getElementById('friends');
for (const { displayName } of (await osapi.people.getViewerFriends({ count: 10 })).list) {
  const item = document.createElement('li');
  item.textContent = displayName;
  list?.append(item);
}
gadgets.window.adjustHeight();
