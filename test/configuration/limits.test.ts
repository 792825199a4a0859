import { expect, test } from 'vitest'

import type { LimitsConfig } from '../../src/configuration/config.ts'
import { examineConfiguration } from '../../src/configuration/resolve.ts'
import { defaults } from '../../src/configuration/settings.ts'

const MiB = 1024 * 1024

function examine(limits: LimitsConfig) {
  const { settings, problems } = examineConfiguration({ limits }, { env: {} })
  return { limits: settings.limits, problems }
}

test('forms that would never fit into the spool are a problem, whichever of the two was set', () => {
  for (const limits of [{ spoolBytes: 512 * MiB }, { formBytes: 8192 * MiB }]) {
    const all = { ...defaults.limits, ...limits }
    expect(examine(limits).problems).toEqual([
      {
        path: 'limits.spoolBytes',
        message: `is ${all.spoolBytes} bytes, and a form may have ${all.formBytes} (formBytes)`,
        fix: 'make spoolBytes as large as formBytes at least',
      },
    ])
  }
  expect(examine({ spoolBytes: 512 * MiB, formBytes: 512 * MiB }).problems).toEqual([])
})

test('a part that is larger than its form is a problem', () => {
  const { problems } = examine({ formBytes: 10 * MiB, formPartBytes: 11 * MiB })
  expect(problems).toEqual([
    {
      path: 'limits.formPartBytes',
      message: `is ${11 * MiB} bytes, and the whole form may have ${10 * MiB} (formBytes)`,
      fix: 'make formPartBytes as large as formBytes at most',
    },
  ])
})

test('whoever sets the size of forms alone means their parts too', () => {
  expect(examine({ formBytes: 10 * MiB })).toEqual({
    limits: { ...defaults.limits, formBytes: 10 * MiB, formPartBytes: 10 * MiB },
    problems: [],
  })
  const larger = examine({ formBytes: 2048 * MiB })
  expect(larger.limits.formPartBytes).toBe(defaults.limits.formPartBytes)
})
