import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('an admin calls a model in each dialect with a key for minutes, and sees route and cost; the key ends with the page', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'playground' })
  const { page } = opened
  await page.getByRole('button', { name: 'Make a key for minutes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Team').fill('search')
  await dialog.getByRole('button', { name: 'Make' }).click()
  const id = await page.getByText(/^playground-/).innerText()

  const reply = page.locator('.playground-text')
  for (const [dialect, model] of [
    ['Responses', 'gpt-5.4'],
    ['Chat Completions', 'gpt-5.4'],
    ['Messages', 'claude-sonnet-4-6'],
    ['generateContent', 'gpt-5.4'],
  ] as const) {
    await page.getByRole('button', { name: dialect }).click()
    await page.getByLabel('Model', { exact: true }).fill(model)
    for (const isStreamed of [true, false]) {
      await page.getByLabel('Streamed').setChecked(isStreamed)
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await page.locator('.card-head').getByText('200', { exact: true }).waitFor()
      expect(await reply.innerText(), `${dialect} ${isStreamed}`).not.toBe('')
      await page.getByText('served it').waitFor()
    }
  }
  await page.getByText('Lost in translation').waitFor()

  await page.getByLabel('Model', { exact: true }).fill('gpt-5.4-pro')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('alert').getByText('No account').waitFor()
  await page.getByText('No account was asked').waitFor()

  await page.getByLabel('Client', { exact: true }).selectOption('Claude Code')
  await page.getByText(/ANTHROPIC_BASE_URL=http:/).waitFor()
  await opened.page.getByRole('link', { name: 'Keys', exact: true }).click()
  const row = page.getByRole('row', { name: new RegExp(id) })
  await row.getByText('Revoked').waitFor()
  expect(opened.faults.filter((fault) => !fault.includes('/console/call'))).toEqual([])
})

test('a viewer reads how a client is set up, and which role may call models here', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'playground' })
  const { page } = opened
  await page.getByText('The role admin may call models here').first().waitFor()
  await page.getByRole('region', { name: 'Set-up of OpenAI SDK, JavaScript' }).waitFor()
  expect(opened.faults).toEqual([])
})
