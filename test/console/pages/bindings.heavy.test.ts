import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('an admin pastes the id of a response, and sees whose it is and what its client gets', async () => {
  await using opened = await fixture.open({ role: 'admin' })
  const { page } = opened
  const { responseId } = fixture.seen
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(responseId)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Bindings' }).waitFor()
  const card = page.locator('.found')
  await card.getByRole('link', { name: 'openai-main' }).first().waitFor()
  await card.getByRole('link', { name: 'search', exact: true }).waitFor()
  await card.getByRole('table', { name: 'What a client gets now' }).waitFor()
  const row = page.getByRole('table', { name: 'Bindings' }).locator('[aria-current]')
  expect(await row.innerText()).toContain(responseId)
  // The act needs the key, which the look-up has found.
  await card.getByRole('button', { name: 'Forget' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('asked for')
  await dialog.getByRole('button', { name: 'Forget' }).click()
  await page.getByText('It is unknown. None of the').waitFor()
  expect(opened.faults).toEqual([])
})

test('an operator names the key of an id', async () => {
  await using opened = await fixture.open({ role: 'operator', path: 'bindings?id=resp_none' })
  const { page } = opened
  const key = page.getByLabel('Key', { exact: true }).first()
  expect(await key.getAttribute('required')).not.toBeNull()
  await key.fill('search')
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByText('It is unknown.').waitFor()
  expect(opened.faults).toEqual([])
})

test('a job that is opened by the id of its client is marked in the list', async () => {
  await using opened = await fixture.open({
    role: 'viewer',
    path: `jobs?id=${fixture.seen.jobId}`,
  })
  const { page } = opened
  await page.getByRole('complementary', { name: 'Job' }).getByText('sora-2').waitFor()
  const row = page.getByRole('table', { name: 'Jobs' }).locator('[aria-current]')
  expect(fixture.seen.jobId).toContain(await row.getByRole('link').first().innerText())
  expect(opened.faults).toEqual([])
})
