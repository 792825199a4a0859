import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

import { closingLine } from './test/closing-line.ts'
import { LongestFirst } from './test/longest-first.ts'

const compiled = join(import.meta.dirname, 'node_modules/.cache/dragoman')

export default defineConfig({
  test: {
    // Node imports the modules itself, as it does for users. It saves a quarter of the CPU time: code that Vite
    // has transformed looks up each imported name again whenever it is used.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // For the processes that tests start: stripping the types takes most of a second at each start.
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? compiled,
      // Debian's nginx is beyond the path of ordinary users.
      PATH: `${process.env['PATH']}:/usr/sbin`,
    },
    globalSetup: ['test/no-leftovers.ts'],
    include: ['test/**/*.test.ts'],
    reporters: ['default', closingLine],
    sequence: { sequencer: LongestFirst },
    // Every test has its own gateway and its own ports; only modules are shared.
    isolate: false,
    // For two cores: with four, a sixth of the time is spent in waiting for other processes.
    maxWorkers: 5,
    retry: Number(process.env['TEST_RETRIES'] ?? 0),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
