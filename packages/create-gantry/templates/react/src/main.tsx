import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Gadget } from './gadget.tsx';

createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <Gadget />
  </StrictMode>,
);
