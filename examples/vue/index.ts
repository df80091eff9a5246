import { createApp } from 'vue';
import GadgetList from './gadget-list.vue';

createApp(GadgetList, { apps: ['one', 'two'] }).mount('#root');
