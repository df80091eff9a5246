import '@gantry/container/container.js';

const gadget = document.createElement('gantry-gadget');
gadget.app = 'friends';
document.body.append(gadget);
