import { createApp } from 'vue';
import Gadget from './gadget.vue';

createApp(Gadget).mount('#app');
