import { defineConfig } from 'vitest/config'

import { closingLine } from '../closing-line.ts'

/** For `npm run test:deploy` and `npm run test:chart`, whose files are `run.ts`: too slow for `npm test`. */
export default defineConfig({
  test: {
    include: ['test/deploy/*/run.ts'],
    reporters: ['verbose', closingLine],
    maxWorkers: 2,
    testTimeout: 120_000,
    // The build of the image, and on a new machine that of the tools.
    hookTimeout: 1_200_000,
  },
})
