import { defineConfig } from 'vitest/config'

import { closingLine } from '../closing-line.ts'
import { checkedLine } from './checked.ts'

/** For `npm run test:console`, whose files are `run.ts`: too slow for `npm test`. */
export default defineConfig({
  test: {
    experimental: { viteModuleRunner: false, nodeLoader: false },
    include: ['test/console/*/run.ts'],
    reporters: ['verbose', checkedLine, closingLine],
    maxWorkers: 2,
    // Each has a page in a process of its own, which is what works.
    maxConcurrency: 2,
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
