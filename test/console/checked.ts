import type { TestContext } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** How many views a test has examined, by their state. */
    checked?: Record<string, number>
  }
}

/** Counts a view that a test has examined. */
export function noteChecked({ task }: Pick<TestContext, 'task'>, state: string): void {
  const checked = (task.meta.checked ??= {})
  checked[state] = (checked[state] ?? 0) + 1
}

/** Ends a run with the number of the views that it has examined. */
export const checkedLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const sums = new Map<string, number>()
    for (const module of modules)
      for (const test of module.children.allTests())
        for (const [state, count] of Object.entries(test.meta().checked ?? {}))
          sums.set(state, (sums.get(state) ?? 0) + count)
    const all = [...sums.values()].reduce((sum, count) => sum + count, 0)
    const words = [...sums].map(([state, count]) => `${state} ${count}`)
    console.log(`\n${all} views examined: ${words.join(', ')}`)
  },
}
