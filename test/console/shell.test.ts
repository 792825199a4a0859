import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from './fixture.ts'

let fixture: Fixture

beforeAll(async () => void (fixture = await startFixture()), 60_000)

afterAll(() => fixture[Symbol.asyncDispose]())

test('a visitor signs in with an admin token, and gets to the page of the address', async () => {
  await using opened = await fixture.open({ path: 'accounts/openai-main?from=link' })
  const { page } = opened
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  expect(opened.faults).toEqual([])
  const token = page.getByLabel('Admin token')
  await token.fill('dga_wrong')
  await page.keyboard.press('Enter')
  await page.getByText('This token is not valid, or no longer.').waitFor()
  await token.fill(fixture.gateway.token('viewer'))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'openai-main' }).waitFor()
  expect(await opened.texts()).not.toContain(fixture.gateway.token('viewer'))
})

test('a session that ends locks the page in place: its data go, its address stays', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'accounts?search=gemini' })
  const { page } = opened
  const row = page.getByRole('row', { name: 'gemini-main' })
  await row.waitFor()
  await page.context().request.delete(`${fixture.gateway.adminUrl}/session`, {
    headers: { 'x-dragoman-console': '1' },
  })
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ timeout: 12_000 })
  expect(await row.count()).toBe(0)
  expect(page.url()).toMatch(/accounts\?search=gemini$/)
  await page.getByLabel('Admin token').fill(fixture.gateway.token('viewer'))
  await page.keyboard.press('Enter')
  await row.waitFor()
  expect(page.url()).toMatch(/accounts\?search=gemini$/)
})
