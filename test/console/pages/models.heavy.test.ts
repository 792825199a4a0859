import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('an admin sees which models nobody serves now, why, and lets another one stand in', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'models' })
  const { page } = opened
  const rows = page.getByRole('table', { name: 'Models' }).locator('tbody tr')
  await rows.first().waitFor()
  const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  const isServed = texts.map((text) => !/Not served now|All disabled|No account/.test(text))
  // What nobody serves comes first.
  expect(isServed).toEqual(isServed.toSorted((one, other) => Number(one) - Number(other)))
  expect(isServed[0]).toBe(false)
  expect(texts.find((text) => text.startsWith('gpt-5.4 '))).toMatch(/\$2\.50, \$15/)
  expect(texts.find((text) => text.startsWith('qwen3-coder '))).toContain('free')
  expect(texts.find((text) => text.startsWith('glm-5 '))).toContain('no price')
  // Two accounts have it: both are disabled.
  expect(texts.find((text) => text.startsWith('gpt-5.4-nano '))).toContain('All disabled')
  await page.getByRole('button', { name: /^Not served now \d+$/ }).click()
  await page.getByRole('row', { name: /^gpt-5\.4-pro Not served now/ }).waitFor()
  expect(await page.getByRole('row', { name: /^gpt-5\.4 / }).count()).toBe(0)
  await page.getByRole('link', { name: 'gpt-5.4-pro' }).click()
  const accounts = page.getByRole('list', { name: 'Accounts of gpt-5.4-pro' })
  await accounts
    .getByRole('listitem')
    .filter({ hasText: /openai-spare[\s\S]*401/ })
    .waitFor()

  await page.getByRole('button', { name: 'Set an alias' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('deep')
  await dialog.getByLabel('Model', { exact: true }).fill('gpt-5.4-pro')
  await dialog.getByLabel('Fallbacks').fill('gpt-5.4')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const response = await fixture.call({
    key: 'chat',
    body: { model: 'deep', messages: [{ role: 'user', content: 'Hi.' }] },
  })
  await response.text()
  expect(response.status).toBe(200)

  await page.getByRole('button', { name: /^All \d+$/ }).click()
  await page.getByRole('link', { name: 'deep' }).click()
  await page.getByText('Falls back to gpt-5.4').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByLabel('Reason').fill('It was a test.')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('link', { name: 'deep' }).waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'fast', exact: true }).click()
  const behind = page.getByRole('list', { name: 'Accounts of fast' }).getByRole('listitem')
  await behind.filter({ hasText: 'openai-eu' }).getByText('Standby', { exact: true }).waitFor()
  const change = page.getByRole('button', { name: 'Change' })
  expect(await change.getAttribute('title')).toContain('configuration file')
  // Also a model behind the first page, or that no account names.
  await opened.go('models?after=z&open=gpt-5.4-pro')
  await accounts.getByText('openai-spare').waitFor()
  await opened.go('models?open=unheard-of')
  await page.getByText('No account and no alias names it').waitFor()
  expect(opened.faults).toEqual([])
})
