import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with its counts on one plain line, for programs that read logs. Tests that passed only when they
 * were run again stand before it: each is a defect of the test or of the product.
 */
export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    for (const test of tests) {
      if (test.diagnostic()?.flaky)
        console.log(`\nrun again: ${test.module.moduleId} > ${test.fullName}`)
    }
    console.log(`\n${count('passed')} passed, ${count('failed')} failed`)
  },
}
