declare module '*.vue' {
  import type { DefineComponent } from 'vue';

  const component: DefineComponent<{ apps: readonly string[] }>;
  export default component;
}
