import { hydrateRoot } from 'react-dom/client';
import { ServedGadgets } from './served.tsx';

hydrateRoot(document.querySelector('#root') as Element, <ServedGadgets apps={['one', 'two']} />);
