import { expect, test } from 'vitest'

import type { LimitsConfig } from '../../src/configuration/config.generated.ts'
import { checkConfiguration, resolveSettings } from '../../src/configuration/resolve.ts'

const defaults = resolveSettings({}, { env: {} })

const MiB = 1024 * 1024

function examine(limits: LimitsConfig) {
  const { settings, problems } = checkConfiguration({ limits }, { env: {} })
  return { limits: settings.limits, problems }
}

test('forms that would never fit into the spool are a problem', () => {
  expect(examine({ spoolBytes: 512 * MiB, formBytes: 513 * MiB }).problems).toEqual([
    {
      path: 'limits.spoolBytes',
      message: `is ${512 * MiB} bytes, less than formBytes (${513 * MiB})`,
      fix: 'set spoolBytes to at least formBytes',
    },
  ])
  expect(examine({ spoolBytes: 512 * MiB, formBytes: 512 * MiB }).problems).toEqual([])
})

test.each([
  [{ spoolBytes: 100 * MiB }, { formBytes: 100 * MiB, formPartBytes: 100 * MiB }],
  [{ formBytes: 8192 * MiB }, { spoolBytes: 8192 * MiB }],
  [{ formPartBytes: 2048 * MiB }, { formBytes: 2048 * MiB }],
  [{ formPartBytes: 8192 * MiB }, { formBytes: 8192 * MiB, spoolBytes: 8192 * MiB }],
])('whoever sets %o alone means the others too', (limits, others) => {
  expect(examine(limits)).toEqual({
    limits: { ...defaults.limits, ...limits, ...others },
    problems: [],
  })
})

test('a part that is larger than its form is a problem', () => {
  const { problems } = examine({ formBytes: 10 * MiB, formPartBytes: 11 * MiB })
  expect(problems).toEqual([
    {
      path: 'limits.formPartBytes',
      message: `is ${11 * MiB} bytes, more than formBytes (${10 * MiB})`,
      fix: 'set formPartBytes to at most formBytes',
    },
  ])
  const unfit = examine({ spoolBytes: 10 * MiB, formPartBytes: 11 * MiB }).problems
  expect(unfit.map(({ path }) => path)).toEqual(['limits.formPartBytes'])
})

test('whoever sets the size of forms alone means their parts too', () => {
  expect(examine({ formBytes: 10 * MiB })).toEqual({
    limits: { ...defaults.limits, formBytes: 10 * MiB, formPartBytes: 10 * MiB },
    problems: [],
  })
  const larger = examine({ formBytes: 2048 * MiB })
  expect(larger.limits.formPartBytes).toBe(defaults.limits.formPartBytes)
})
