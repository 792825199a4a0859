import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'
import { answerWith } from './answers.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('the overview says in one sentence whether it serves, and each cause of trouble', async () => {
  await using opened = await fixture.open({ role: 'viewer' })
  const { page } = opened
  const verdict = page.getByRole('region', { name: /^Serving/ })
  await verdict.waitFor()
  const causes = (await verdict.getByRole('listitem').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  )
  expect(causes.find((text) => text.includes('openai-spare'))).toMatch(
    /^Refused openai-spare OpenAI answered 401 to its credential\. Tried again in /,
  )
  const errors = page.getByRole('table', { name: 'Last errors' })
  await errors.getByText('no_account_available').first().waitFor()
  await page.getByRole('table', { name: 'Processes' }).getByText('Ready').waitFor()

  await page.getByRole('button', { name: 'Calls a second as a table' }).click()
  const table = page.getByRole('dialog', { name: 'Calls a second' })
  expect(await table.getByRole('row').count()).toBeGreaterThan(1)
  await table.getByRole('button', { name: 'Close' }).click()
  await verdict.getByRole('link', { name: 'openai-spare' }).click()
  await page.getByRole('heading', { level: 1, name: 'openai-spare' }).waitFor()
  expect(opened.faults).toEqual([])
})

test('without an answer the overview claims nothing; an answer stays under a later error', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  const answers = await answerWith(page, 'Overview', 'away')
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('Whether it serves is not known.').waitFor()
  const words = await page.getByRole('main').innerText()
  expect(words).not.toMatch(/Serving|No error|There is no account|\b0\b/)

  answers.next('real')
  await page.getByRole('button', { name: 'Try again' }).click()
  const verdict = page.getByRole('region', { name: /^Serving/ })
  await verdict.waitFor()
  answers.next('away')
  await page.getByText(/What is shown is of \d\d:\d\d:\d\d\./).waitFor({ timeout: 12_000 })
  expect(await verdict.count()).toBe(1)
})
