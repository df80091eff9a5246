import { mount } from './app.tsx';

mount(document.querySelector('#root') as Element, ['one', 'two']);
