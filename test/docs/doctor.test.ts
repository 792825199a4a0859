import { expect, test } from 'vitest'

import { openCheckout } from './checkout.ts'
import { openPage } from './pages.ts'

const page = openPage('docs/doctor.md')
const [init = '', doctor = '', ...more] = page.blocks('sh')

test('a checkout is set up and diagnosed as the page shows', async () => {
  await using checkout = await openCheckout()
  expect(await checkout.run(init)).toContain('Wrote dragoman.config.ts and .env.example.')
  const printed = await checkout.run(doctor)
  expect(more).toEqual([])
  const table = page.section('What doctor looks at')
  const checks = [...printed.matchAll(/^(?:OK|WARN|FAIL) +(.{15}) /gm)].map(([, name = '']) => name)
  expect(checks.length).toBeGreaterThan(8)
  expect(checks.filter((name) => !table.includes(`\`${name.trim()}\``))).toEqual([])
})
