import { expect, test } from 'vitest'

import { openCheckout, serving } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

const [create = '', start = '', probe = '', list = '', rotate = '', revoke = '', ...more] =
  openPage('docs/operations.md').blocks('sh')

test('an operator issues a key, starts the gateway and asks whether it is ready', async () => {
  await using checkout = await openCheckout()
  const secret = /dgm_\S+/.exec(await checkout.run(create))?.[0]
  const { clients, admin } = await serving(checkout.start(start))
  expect(await checkout.run(addressed(probe, { admin }))).toContain('"status":"ok"')
  const models = await fetch(`${clients}/v1/models`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(models.status).toBe(200)
})

test('keys are issued, listed, rotated and revoked by the commands of the page', async () => {
  await using checkout = await openCheckout()
  const first = /dgm_\S+/.exec(await checkout.run(create))?.[0]
  expect(await checkout.run(list)).toMatch(/team-b/)
  const second = /dgm_\S+/.exec(await checkout.run(rotate))?.[0]
  expect(first).toBeTruthy()
  const silent = create.replace('npm start', 'npm start --silent').replace('team-b', 'team-c')
  expect(await checkout.run(`${silent} 2>/dev/null`)).toMatch(/^dgm_\S+\n$/)
  expect(second).not.toBe(first)
  await checkout.run(revoke)
  expect(await checkout.run(list)).toMatch(/team-b.*(revoked|disabled)/)
})

test('the other commands of the page are run with the accounts and with the replicas', () => {
  const elsewhere = /^npm start -- (?:accounts|check --config examples\/replicas)/
  expect(more.filter((command) => !elsewhere.test(command))).toEqual([])
})
