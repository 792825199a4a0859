import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('an admin creates a team and a key with a budget, and sees it spent', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'teams' })
  const { page } = opened
  await act(page, 'Create a team', 'Create', { Id: 'papers', Name: 'Papers' })
  await page.getByRole('link', { name: 'papers' }).waitFor()

  await opened.go('keys')
  await press(page, 'Create a key')
  await fill(page, { Id: 'reader', Models: 'gpt-* best', Team: 'papers', Labels: 'env=prod' })
  await press(page.getByRole('dialog'), 'Create')
  const secret = await secretOf(page)
  const setUp = page.getByRole('dialog').getByRole('region', { name: /^Set-up of/ })
  expect(await setUp.innerText()).toContain("baseURL: 'http://127.0.0.1:8787/v1'")
  await page.getByRole('dialog').getByLabel('Client').selectOption('Claude Code')
  expect(await setUp.innerText()).toContain('ANTHROPIC_BASE_URL=http://127.0.0.1:8787')
  expect(await opened.axe()).toEqual([])
  await press(page.getByRole('dialog'), 'I have stored it')
  await page.keyboard.press('/')
  await page.keyboard.type('env=PR')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search=env%3DPR/)
  await page.getByRole('link', { name: 'search' }).first().waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'reader' }).click()
  await page.getByRole('heading', { level: 1, name: 'reader' }).waitFor()
  // The secret was shown once.
  expect(await page.content()).not.toContain(secret)
  await page.getByText('gpt-*, best').waitFor()

  await act(page, 'Set a limit', 'Set', { 'Amount in US dollars': '0.5' })
  await page.getByRole('link', { name: 'Cost a day' }).waitFor()
  await page.getByText('$0 of $0.50').waitFor()
  expect(await ask(secret)).toBe(200)
  await page.getByText(/^\$0\.0\d+ of \$0\.50$/).waitFor()
  await page.getByRole('row', { name: /^gpt-5\.4 / }).waitFor()
  expect(opened.faults).toEqual([])
})

test('an admin gives a key another secret, and makes the key useless', async () => {
  const { data } = await fixture.gateway.graph<{ createKey: { secret: string } }>(
    'mutation { createKey(input: {id: "leaked"}) { ... on CreateKeySuccess { secret } } }',
  )
  const { secret } = data.createKey
  await using opened = await fixture.open({ role: 'admin', path: 'keys/leaked' })
  const { page } = opened
  await press(page, 'Rotate')
  await fill(page, { 'Grace period in hours': '0', Reason: 'A laptop is lost.' })
  await press(page.getByRole('dialog'), 'Rotate')
  const second = await secretOf(page)
  await press(page.getByRole('dialog'), 'I have stored it')
  expect([await ask(secret), await ask(second)]).toEqual([401, 200])

  await act(page, 'Disable', 'Disable', { Reason: 'It has leaked.' })
  await page.getByText('It is rejected: an operator disabled it: It has leaked.').waitFor()
  expect(await ask(second)).toBe(401)
  await act(page, 'Enable', 'Enable', {})
  await page.getByText('Active').waitFor()
  expect(await ask(second)).toBe(200)

  await press(page, 'Revoke')
  await fill(page, { Reason: 'It has leaked again.' })
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Revoke' })
  expect(await confirm.isDisabled()).toBe(true)
  await fill(page, { 'Type leaked to confirm': 'leaked' })
  await confirm.click()
  await page.getByText('Revoked').first().waitFor()
  await page.getByRole('main').getByText('In force in the only process.').waitFor()
  expect(await actsOf(page.locator('.page-head'))).toEqual([])
  expect(await ask(second)).toBe(401)
  expect(opened.faults).toEqual([])
})

test('a key and a limit of the file say where they are changed, and have no acts that would be refused; an admin grants more', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'keys/search' })
  const { page } = opened
  await page.getByText('It is in the configuration file: change, rotate and revoke it').waitFor()
  expect(await actsOf(page.locator('.page-head'))).toEqual(['Disable'])
  await page.getByRole('link', { name: 'Cost a day' }).click()
  await page.waitForURL(/limit=/)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('the configuration file, where it is changed').waitFor()
  expect(await actsOf(dialog.locator('.dialog-acts'))).toEqual(['Close', 'Reset', 'Grant extra'])
  await press(dialog, 'Grant extra')
  await fill(page, {
    'Amount in US dollars': '1',
    Until: '2036-01-01T00:00',
    Reason: 'The month ends.',
  })
  await press(page.getByRole('dialog'), 'Grant')
  await page.getByText(/ of \$1\.00$/).waitFor()
  await page.getByRole('link', { name: 'Cost a day' }).click()
  await act(page.getByRole('dialog'), 'Reset', 'Reset', { Reason: 'A test of the client.' }, page)
  await page.getByText('$0 of $1.00').waitFor()
  expect(opened.faults).toEqual([])
})

test('a change that meets another one shows it, and is written when its user sends it again', async () => {
  const { gateway } = fixture
  await gateway.graph(
    'mutation { createKey(input: {id: "shared", team: "search"}) { __typename } }',
  )
  await using opened = await fixture.open({ role: 'admin', path: 'keys/shared' })
  const { page } = opened
  await press(page, 'Change')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Models', { exact: true }).fill('gpt-*')
  await gateway.graph(
    'mutation { updateKey(input: {id: "shared", team: "support"}) { __typename } }',
  )
  // The page behind the dialog learns of it; the form has begun before.
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  await page.locator('main').getByText('support', { exact: true }).waitFor({ state: 'attached' })
  await press(dialog, 'Change')
  const row = dialog.getByRole('row', { name: 'team search support' })
  await row.waitFor()
  expect(await opened.axe()).toEqual([])
  await press(dialog, 'Change')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('gpt-*').waitFor()

  await gateway.graph(
    'mutation { setLimit(input: {subject: {type: KEY, id: "shared"}, kind: COST, window: "day", amount: "7"}) { __typename } }',
  )
  await press(page, 'Set a limit')
  await fill(page, { 'Amount in US dollars': '9' })
  await press(dialog, 'Set')
  await dialog.getByRole('row', { name: /^amount not set 7/ }).waitFor()
  await press(dialog, 'Set')
  await page.getByText('$0 of $9.00').waitFor()
  expect(opened.faults).toEqual([])
})

test('a viewer sees keys and limits, and which role may change them', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'keys/search' })
  const { page } = opened
  await page.getByText('Usage of 30 days').waitFor()
  for (const [name, role] of [
    ['Disable', 'operator'],
    ['Set a limit', 'admin'],
  ] as const) {
    const button = page.getByRole('button', { name })
    expect(await button.getAttribute('title')).toContain(role)
    await button.click({ force: true })
    await page.getByText(`The role ${role} may do this.`).first().waitFor()
  }
  await opened.go('keys')
  await page.getByRole('row', { name: /^search .*Cost a day.*of \$/ }).waitFor()
  await opened.go('keys?state=REVOKED&team=support')
  await page.getByText('No such key').waitFor()
  expect(opened.faults).toEqual([])
})

type Within = Pick<Page, 'getByRole'>

/** The names of the buttons of a part of a page. */
async function actsOf(part: Within): Promise<readonly string[]> {
  return await part.getByRole('button').allInnerTexts()
}

async function press(within: Within, name: string): Promise<void> {
  await within.getByRole('button', { name, exact: true }).click()
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(value)
}

/** Opens the dialog of an act, fills it, and waits until it is done. */
async function act(
  within: Within,
  open: string,
  verb: string,
  values: Readonly<Record<string, string>>,
  page = within as Page,
): Promise<void> {
  await press(within, open)
  await fill(page, values)
  await press(page.getByRole('dialog'), verb)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function secretOf(page: Page): Promise<string> {
  return await page.getByRole('dialog').locator('.copy-id > .mono').innerText()
}

async function ask(secret: string): Promise<number> {
  const response = await fetch(`${fixture.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hello.' }] }),
  })
  await response.text()
  return response.status
}
