import type { Reporter, TestCase, TestModule } from 'vitest/node'

import { line, type Told } from './told.ts'

/** Tells of every test as soon as it has ended, for whoever started the run. */
export default class TellingReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const name = `${test.module.relativeModuleId} > ${test.fullName}`
    tell({ name, state: test.result().state })
  }

  onTestModuleEnd(module: TestModule): void {
    for (const { message } of module.errors()) {
      tell({ name: module.relativeModuleId, trouble: message })
    }
  }

  onTestRunEnd(_modules: unknown, errors: readonly { readonly message: string }[]): void {
    for (const { message } of errors) tell({ name: 'outside of all tests', trouble: message })
  }
}

function tell(told: Told): void {
  process.stdout.write(line(told))
}
