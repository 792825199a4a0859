import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'
import { changeAnswer } from './answers.ts'
import { refuseSpare } from './refused.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('a refused account says which gate is shut, why, when it is tried again, and what opens it', async () => {
  await refuseSpare(fixture)
  await using opened = await fixture.open({ role: 'operator', path: 'accounts/openai-spare' })
  const { page } = opened
  const gates = page.getByRole('region', { name: 'Why it gets no calls' }).getByRole('listitem')
  await gates.first().waitFor()
  const texts = (await gates.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  expect(texts.slice(0, 4)).toEqual([
    'Passes calls: It is enabled Nobody has disabled it.',
    'Passes calls: Its record is sound From the configuration file.',
    expect.stringMatching(
      /^Passes no call: Its credential is accepted OpenAI answered 401 to its credential\. Tried again in .+\. Try now$/,
    ),
    'Passes calls: It is not cooling No pause is in force.',
  ])
  await gates.nth(2).getByRole('button', { name: 'Try now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Try now' }).click()
  await page.getByText(/refusal.* of openai-spare ended\./).waitFor()
  await page.getByRole('region', { name: /^It got/ }).waitFor()
  expect(opened.faults).toEqual([])
})

test('an operator disables an account with a reason, sees the audit entry, and enables it again', async () => {
  await using opened = await fixture.open({ role: 'operator', path: 'accounts/anthropic-main' })
  const { page } = opened
  const open = page.getByRole('button', { name: 'Disable' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Disable anthropic-main' })
  await dialog.waitFor()
  expect(await dialog.innerText()).toMatch(/No call is in flight at it now\./)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await open.evaluate((button) => button.matches(':focus'))).toBe(true)

  await page.keyboard.press('Enter')
  await dialog.getByLabel('Reason').fill('It moves.')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('anthropic-main is disabled. No call was in flight.').waitFor()
  expect(await page.getByRole('link', { name: 'Audit entry' }).getAttribute('href')).toMatch(
    /\/console\/audit\?target=anthropic-main$/,
  )
  const line = page.getByRole('status').filter({ hasText: 'anthropic-main is disabled.' })
  await line.getByText('In force in the only process.').waitFor()
  const gate = page.getByRole('listitem').filter({ hasText: 'It is enabled' })
  await gate.getByText('An operator disabled it: It moves.').waitFor()
  await gate.getByText('In force in the only process.').waitFor()
  await page.getByRole('row', { name: 'account.disable' }).getByText('It moves.').waitFor()

  await page.getByRole('button', { name: 'Enable' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
  await page.getByText('anthropic-main is enabled.').waitFor()
  await open.waitFor()
})

test('a viewer sees which role may act; an unknown account is not there', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'accounts/gemini-main' })
  const { page } = opened
  const disable = page.getByRole('button', { name: 'Disable' })
  await disable.waitFor()
  expect(await disable.getAttribute('aria-description')).toBe('The role operator may do this.')
  await disable.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('region', { name: 'Why it gets only some calls' }).waitFor()
  await opened.go('accounts/nobody')
  await page.getByText('There is no such account').waitFor()
})

test('a standby says who comes before it, and that this is its priority', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'accounts/openai-eu' })
  const { page } = opened
  await page
    .getByText(
      'openai-main (priority 0) comes before it: a lower priority is asked first, and this one has 1.',
    )
    .waitFor()
  const models = page.getByRole('table', { name: 'Models' })
  expect(await models.getByRole('row', { name: 'gpt-5.4-mini' }).innerText()).toMatch(
    /0 %\s+openai-main 100 %/,
  )
})

test('countdowns run by the clock of the gateway, whatever the clock of the browser says', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  await page.clock.install({ time: Date.now() + 5 * 60_000 })
  await opened.go('accounts/gemini-main')
  const shown = await page
    .getByText(/Tried again in \d+ min/)
    .first()
    .innerText()
  expect(Number(/in (\d+) min/.exec(shown)?.[1])).toBeGreaterThanOrEqual(6)
})

test('an account for whose calls no key can ask says why its choice is not known, and what it owns', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  await changeAnswer(page, 'Account', (data) => void (data.keys.edges = []))
  await opened.go('accounts/openai-main')
  const models = page.getByRole('region', { name: 'Models' })
  await models.getByText('There is no active key that could ask for them.').waitFor()
  expect(await models.getByText('Loading').count()).toBe(0)
  await page
    .getByText('Not known. There is no active key that could ask for them.', { exact: true })
    .waitFor()
  const owned = page.getByRole('table', { name: 'Conversations and files here' })
  await owned.getByRole('link', { name: fixture.seen.responseId }).click()
  await page.getByText('Continues it').first().waitFor()
  expect(opened.faults).toEqual([])
})

test('while the store is away no act begins and each says why, until it is back', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'jobs' })
  const { page } = opened
  let storeAway = true
  await changeAnswer(page, 'Account', (_data, answer) => {
    if (storeAway) answer.extensions = { storeAway }
  })
  await opened.go('accounts/openai-eu')
  const why = 'The store does not answer: nothing can be changed until it is back.'
  await page.getByRole('alert').getByText('The store does not answer').waitFor()
  for (const name of ['Disable', 'Test']) {
    const act = page.getByRole('button', { name })
    await expect.poll(() => act.getAttribute('aria-description')).toBe(why)
    await act.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
  storeAway = false
  await expect
    .poll(() => page.getByRole('button', { name: 'Disable' }).getAttribute('aria-description'), {
      timeout: 12_000,
    })
    .toBeNull()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('an act that a process does not say to have stays in its line, with the name of the process', async () => {
  await using opened = await fixture.open({ role: 'operator', path: 'accounts/openai-eu' })
  const { page } = opened
  let isMissing = true
  await changeAnswer(page, 'InForce', ({ gateway: { processes, changesInForce } }) => {
    processes.push({ id: 'other', host: 'box', pid: 7, worker: 2 })
    const ids = isMissing ? changesInForce.missingIds : changesInForce.processIds
    ids.push('other')
  })
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('It moves.')
  await page.keyboard.press('Enter')
  const line = page.getByRole('status').filter({ hasText: 'openai-eu is disabled.' })
  await line.getByText('In force in 1 of 2 processes; not known of box worker 2.').waitFor()
  isMissing = false
  await line.getByText('In force in all 2 processes.').waitFor()
  expect(await line.getByText('not known').count()).toBe(0)
  await page.getByRole('button', { name: 'Enable' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
  await page.getByRole('button', { name: 'Disable' }).waitFor()
  expect(opened.faults).toEqual([])
})

test('an account that others come before is a standby on each page, for each of its models too', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: '' })
  const { page } = opened
  for (const path of ['', 'accounts']) {
    await opened.go(path)
    const row = page.getByRole('row').filter({ hasText: 'openai-eu' })
    await row.getByText('Standby', { exact: true }).waitFor()
  }
  await opened.go('accounts/openai-eu')
  await page.locator('.page-head').getByText('Standby', { exact: true }).waitFor()
  const models = page.getByRole('table', { name: 'Models' })
  const words = await models.locator('.state-word').allInnerTexts()
  expect(words).toEqual(['Standby', 'Standby'])
  await page.getByText('Model in replies').waitFor()
  await opened.go('accounts/openai-main')
  await page.locator('.page-head').getByText('Serving', { exact: true }).waitFor()
  await models.getByText('Serving', { exact: true }).first().waitFor()
  expect(await models.getByText('Standby').count()).toBe(0)
  expect(opened.faults).toEqual([])
})

test('an open circuit names the calls that opened it, which lead to their pages', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'accounts/anthropic-eu' })
  const { page } = opened
  const circuits = page.getByRole('listitem').filter({ hasText: 'No circuit is open' })
  const words = (await circuits.innerText()).replaceAll(/\s+/g, ' ')
  expect(words).toMatch(/calls? got 500/i)
  await circuits.getByRole('link', { name: 'A call got 500' }).first().click()
  await page.waitForURL(/\/calls\/req_/)
  await page.getByText('anthropic-eu answered 500').waitFor()
  expect(opened.faults).toEqual([])
})
