import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with its counts on one plain line, for whatever reads logs. */
export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    )
    const count = (state: string) => states.filter((one) => one === state).length
    console.log(`\n${count('passed')} passed, ${count('failed')} failed`)
  },
}
