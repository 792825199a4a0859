import { defineConfig } from 'vitest/config'

import { closingLine } from '../closing-line.ts'

/** For `npm run test:console`, whose files are `run.ts`: too slow for `npm test`. */
export default defineConfig({
  test: {
    experimental: { viteModuleRunner: false, nodeLoader: false },
    include: ['test/console/*/run.ts'],
    reporters: ['verbose', closingLine],
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
