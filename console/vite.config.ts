import { brotliCompressSync, gzipSync } from 'node:zlib'
import { join, resolve } from 'node:path'

import { defineConfig } from 'vite'

import { licensesOf } from '../scripts/console/licenses.ts'
import { consoleManifest } from '../scripts/console/operations.ts'

/** The admin address that `npx vite console` sends the requests of a page to. */
const admin = process.env['ADMIN_URL'] ?? 'http://127.0.0.1:8788'

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that a proxy may serve the console below a path of its own.
  base: './',
  server: { proxy: { '/graphql': admin, '/session': admin, '/console/call': admin } },
  build: {
    outDir: join(import.meta.dirname, '../dist/console'),
    emptyOutDir: true,
    target: 'es2024',
    // The policy of the page permits no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    rollupOptions: {
      // One file: a page that stays open over an upgrade lacks no part.
      output: { codeSplitting: false },
      checks: { pluginTimings: false },
      onLog(level, log, log2) {
        // Libraries mark modules for a server that the console does not have.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') log2(level, log)
      },
    },
  },
  plugins: [
    {
      name: 'packed',
      apply: 'build',
      enforce: 'post',
      generateBundle(_, bundle) {
        for (const one of Object.values(bundle)) {
          if (!/\.(js|css)$/.test(one.fileName)) continue
          const bytes = Buffer.from(one.type === 'chunk' ? one.code : one.source)
          const emit = (end: string, source: Buffer) =>
            this.emitFile({ type: 'asset', fileName: `${one.fileName}.${end}`, source })
          emit('br', brotliCompressSync(bytes))
          emit('gz', gzipSync(bytes, { level: 9 }))
        }
      },
    },
    {
      name: 'licenses',
      apply: 'build',
      generateBundle(_, bundle) {
        const files = Object.values(bundle).flatMap((one) =>
          one.type === 'chunk' ? one.moduleIds : one.originalFileNames,
        )
        const source = licensesOf(files.map((file) => resolve(import.meta.dirname, file)))
        this.emitFile({ type: 'asset', fileName: 'licenses.txt', source })
      },
    },
    {
      name: 'operations',
      apply: 'build',
      generateBundle() {
        const source = `${JSON.stringify(consoleManifest())}\n`
        this.emitFile({ type: 'asset', fileName: 'operations.json', source })
      },
    },
  ],
})
