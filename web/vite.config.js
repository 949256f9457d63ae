// One script and one style sheet: the program puts them into pages (src/davit/view).
import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    cssCodeSplit: false,
    lib: { entry: 'src/main.ts', name: 'davit', formats: ['iife'], fileName: () => 'viewer.js', cssFileName: 'viewer' },
  },
});
