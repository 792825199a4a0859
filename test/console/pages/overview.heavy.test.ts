import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'
import { answerWith, changeAnswer } from './answers.ts'
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
    /^Refused openai-spare OpenAI answered 401 to its credential\. Tried again in .+\. Nobody else serves gpt-5\.4-pro: clients get 503, in messages 529\.$/,
  )
  expect(await verdict.getByRole('heading').innerText()).toMatch(
    /^Serving, but calls of \d models fail$/,
  )
  // Only what no account has is without one: the others are kept out, for their causes.
  const note = await verdict.locator('.verdict-line .secondary').innerText()
  expect(note).toMatch(
    /^\d models have all accounts kept out, 1 model has only disabled accounts\. \d of 13 accounts get no calls, \d only some, 2 more are disabled$/,
  )
  expect(causes.find((text) => text.includes('gpt-5.4-nano'))).toBe(
    'All disabled gpt-5.4-nano lab and studio have it, and are disabled: clients get 503, in messages 529.',
  )
  // Its only account is tried by one call at a time: no other has the model.
  const tried = causes.find((text) => text.includes('partner'))
  expect(tried).toMatch(/^Partly partner One call at a time tries it: .+ 500/)
  expect(tried).not.toContain('Each of its models has an account')
  // Its account is at a rate limit.
  expect(causes.find((text) => text.includes('qwen3-small'))).toMatch(/: clients get 429\.$/)
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

test('the verdict counts all models and accounts, also those that it does not list, and names what stands in', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  let pulse: object[] = []
  await changeAnswer(page, 'OverviewSpend', ({ usage: { totals } }) => {
    Object.assign(totals, { cost: '0', unpricedCalls: 3, estimatedCalls: 0, lostCalls: 0 })
  })
  await changeAnswer(page, 'Overview', (data) => {
    data.unavailable.countsByState = [{ state: 'UNAVAILABLE', count: 120 }]
    data.unavailable.pageInfo.hasNextPage = true
    for (const { node } of data.unavailable.edges)
      if (node.name === 'gpt-5.4-nano') Object.assign(node, { standIn: 'gpt-5.4', failsWith: null })
    data.accounts.totalCount = 900
    data.accounts.countsByServes = [
      { serves: 'ALL', count: 600 },
      { serves: 'SOME', count: 90 },
      { serves: 'NOTHING', count: 210 },
    ]
    data.accounts.countsByState = [{ state: 'DISABLED', count: 10 }]
    data.pulse = pulse
  })
  await opened.go('overview')
  const verdict = page.getByRole('region', { name: 'Serving, but calls of 119 models fail' })
  await verdict
    .getByText('200 of 900 accounts get no calls, 90 only some, 10 more are disabled')
    .waitFor()
  await verdict.getByText('disabled: gpt-5.4 stands in.').waitFor()
  // Others of the 120 may be its models.
  expect(await verdict.getByText('Each of its models has an account.').count()).toBe(0)
  expect(await page.getByRole('main').innerText()).not.toMatch(/No call ended|No call had output/)
  // Calls without a price cost an unknown amount, not nothing.
  const spent = await page.getByRole('region', { name: 'Today' }).innerText()
  expect(spent).toMatch(/Spent\s+–\s+3 attempts of unknown cost/)
  const counts = { calls: 4, failures: 0, clientErrors: 3, cost: '0.5', unpriced: 1, inFlight: 0 }
  const times = { at: new Date().toISOString(), firstOutputP50: null, firstOutputP95: null }
  pulse = [{ ...counts, ...times }]
  await page.getByText('4 calls in the last minute, $0.50 and more').waitFor({ timeout: 12_000 })
  await page.getByText('0 % in the last minute; 3 got 4xx').waitFor()
  expect(opened.faults).toEqual([])
})

test('the first run keeps the tick of the first call, however long ago it was', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  let hasKey = false
  await changeAnswer(page, 'Overview', (data) => {
    data.accounts.totalCount = 0
    data.pulse = []
    if (!hasKey) data.keys.totalCount = 0
  })
  await opened.go('overview')
  const steps = page.getByRole('region', { name: 'Three steps to the first call' })
  await steps.getByText('The first call: done').waitFor()
  hasKey = true
  await steps.getByText('A key: done').waitFor({ timeout: 12_000 })
  expect(opened.faults).toEqual([])
})
