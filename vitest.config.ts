import { defineConfig } from 'vitest/config'

import { closingLine } from './test/closing-line.ts'

export default defineConfig({
  // As Node resolves them. With `development`, the tests and the libraries would have two `graphql`.
  ssr: { resolve: { conditions: ['module-sync', 'node', 'import'] } },
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', closingLine],
    // Every test has its own gateway and its own ports; only modules are shared.
    isolate: false,
    // For two cores: a third of the time is spent in waiting for other processes.
    maxWorkers: 3,
    retry: Number(process.env['TEST_RETRIES'] ?? 0),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
