import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('the key of the Playground is revoked when its user signs out', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'playground' })
  const { page } = opened
  await page.getByRole('button', { name: 'Make a key for minutes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make' }).click()
  const id = await page.getByText(/^playground-/).innerText()
  await page.getByRole('button', { name: 'Sign out' }).click()
  const query = `{ key(id: "${id}") { state } }`
  await expect
    .poll(
      async () => (await fixture.gateway.graph<{ key: { state: string } }>(query)).data.key.state,
      { timeout: 30_000 },
    )
    .toBe('REVOKED')
})
