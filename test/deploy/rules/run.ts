// Part of `npm run test:deploy`: the alerts of deploy/prometheus, run by promtool.
import { expect, test } from 'vitest'

import { promtool } from '../../telemetry/metrics/prometheus.ts'
import { alertTestsFile, rulesFile } from '../dashboards/rules.ts'

test('promtool finds nothing wrong with the rules, and each alert fires when it should', async () => {
  const [check, tests] = await Promise.all([
    promtool(['check', 'rules', '--lint=all', '--lint-fatal', rulesFile]),
    promtool(['test', 'rules', alertTestsFile]),
  ])
  expect(check).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') })
  expect(tests).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') })
})
