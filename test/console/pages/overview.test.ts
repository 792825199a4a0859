import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'
import { answerWith } from './answers.ts'
import { refuseSpare } from './refused.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('the overview says in one sentence whether it serves, and each cause of trouble', async () => {
  await refuseSpare(fixture)
  await using opened = await fixture.open({ role: 'viewer' })
  const { page } = opened
  const verdict = page.getByRole('region', { name: /^Serving/ })
  await verdict.waitFor()
  const causes = (await verdict.getByRole('listitem').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  )
  expect(causes.find((text) => text.includes('openai-spare'))).toMatch(
    /^Refused openai-spare OpenAI answered 401 to its credential\. Tried again in .+\. Nobody else serves gpt-5\.4-pro: clients get 503\.$/,
  )
  expect(await verdict.getByRole('heading').innerText()).toMatch(
    /^Serving, but \d models have no account$/,
  )
  expect(causes.find((text) => text.includes('gpt-5.4-nano'))).toBe(
    'No account gpt-5.4-nano lab and studio have it, and are disabled: clients get 503.',
  )
  const errors = page.getByRole('table', { name: 'Last errors' })
  await errors.getByText('no_account_available').first().waitFor()
  await page.getByRole('table', { name: 'Processes' }).getByText('Ready').waitFor()

  await page.getByRole('button', { name: 'Calls a second as a table' }).click()
  const table = page.getByRole('dialog', { name: 'Calls a second' })
  await table.getByRole('row').nth(1).waitFor()
  await table.getByRole('button', { name: 'Close' }).click()
  await verdict.getByRole('link', { name: 'openai-spare' }).click()
  await page.getByRole('heading', { level: 1, name: 'openai-spare' }).waitFor()
  expect(opened.faults).toEqual([])
})

test('without an answer the overview claims nothing; an answer stays under a later error', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  await answerWith(page, 'OverviewSpend', 'away')
  const answers = await answerWith(page, 'Overview', 'away')
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('Whether it serves is not known.').waitFor()
  const words = await page.getByRole('main').innerText()
  expect(words).not.toMatch(/Serving|No error|There is no account|^0$/m)

  answers.next('real')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  const verdict = page.getByRole('region', { name: /^Serving/ })
  await verdict.waitFor()
  answers.next('away')
  await page.getByText(/What is shown is of \d\d:\d\d:\d\d\./).waitFor({ timeout: 12_000 })
  expect(await verdict.count()).toBe(1)
})
