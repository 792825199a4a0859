import { afterAll, beforeAll, expect, test } from 'vitest'

import type { ConsolePage } from '../console-page.ts'
import { type Fixture, startFixture } from '../fixture.ts'
import { answerWith, changeAnswer } from './answers.ts'
import { refuseSpare } from './refused.ts'

// The place of the credential of an account that is added.
process.env['DRAGOMAN_ACCOUNT_CLOUD'] = 'secret-access-key-of-a-test-0123456789'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

interface Row {
  readonly node: { readonly serves: string }
}

const noCounts = { totalCount: 0, countsByServes: [], countsByState: [] }

/** The ids of the rows, in their order. */
async function rowsOf({ page }: ConsolePage): Promise<string[]> {
  const links = page.getByRole('table', { name: 'Accounts' }).locator('tbody th a')
  await links.first().waitFor()
  return links.allInnerTexts()
}

test('accounts in trouble come first, each with its cause; filter and search are in the address', async () => {
  await refuseSpare(fixture)
  await using opened = await fixture.open({ role: 'viewer', path: 'accounts' })
  const { page } = opened
  const ids = await rowsOf(opened)
  expect(ids.slice(0, 2)).toEqual(['archive', 'openai-spare'])
  expect(ids.slice(-2)).toEqual(['lab', 'studio'])
  const spare = page.getByRole('row', { name: 'openai-spare' })
  expect(await spare.innerText()).toMatch(
    /Refused\s+OpenAI answered 401 to its credential\. Tried again in \d+ (?:min|s)/,
  )
  expect(await page.getByRole('row', { name: 'local-gpu' }).innerText()).toMatch(
    /Full[\s\S]*1 of 1/,
  )

  await page.getByRole('button', { name: /^In trouble \d+$/ }).click()
  expect(await rowsOf(opened)).not.toContain('openai-main')
  await page.keyboard.press('/')
  await page.keyboard.type('gemini')
  await page.waitForURL(/\?show=trouble&search=gemini$/)
  expect(await rowsOf(opened)).toEqual(['gemini-night', 'gemini-main'])

  await page.locator('h1').click()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'gemini-main' }).waitFor()
  await page.goBack()
  expect(await rowsOf(opened)).toEqual(['gemini-night', 'gemini-main'])
  expect(opened.faults).toEqual([])
})

test('an account that an operator disables elsewhere changes on the page by itself', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'accounts' })
  const { page } = opened
  const row = page.getByRole('row', { name: 'anthropic-main' })
  await row.getByText('Serving').waitFor()
  await page.getByRole('status').getByText('Live').first().waitFor()
  const act = (text: string) => fixture.gateway.graph(`mutation { ${text} { __typename } }`)
  await act('disableAccount(input: {id: "anthropic-main", reason: "It moves."})')
  await row.getByText('Disabled', { exact: true }).waitFor({ timeout: 3_000 })
  expect(await row.innerText()).toContain('An operator disabled it: It moves.')
  await act('enableAccount(input: {id: "anthropic-main"})')
  await row.getByText('Serving').waitFor({ timeout: 3_000 })
})

test('an admin adds an account, changes it and deletes it; a refusal says what mends it', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'accounts' })
  const { page } = opened
  await page.getByRole('button', { name: 'Add an account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an account' })
  await dialog.getByLabel('Id', { exact: true }).fill('openai-main')
  await dialog.getByLabel('Provider').fill('openai-compatible')
  await dialog.getByLabel('Base URL').fill(`${fixture.upstream.url}/v1`)
  await dialog.getByLabel('Models').fill('qwen3-new = qwen3-small')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByRole('alert').innerText()).toMatch(/openai-main/)

  await dialog.getByLabel('Id', { exact: true }).fill('fresh')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('fresh is added.').waitFor()
  await page.getByRole('link', { name: 'fresh', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'fresh' }).waitFor()

  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Priority').fill('7')
  await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
  await page.getByText('fresh is changed.').waitFor()
  await page.getByText('7, 1').waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  const worst = page.getByRole('dialog', { name: 'Delete fresh' })
  const verb = worst.getByRole('button', { name: 'Delete' })
  await worst.getByLabel('Reason').fill('A trial.')
  expect(await verb.isDisabled()).toBe(true)
  await worst.getByLabel('Type fresh to confirm').fill('fresh')
  await verb.click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  await page.getByRole('link', { name: 'fresh', exact: true }).waitFor({ state: 'detached' })
  expect(opened.faults).toEqual([])
})

test('an account at a cloud is added with its place and its identity, shown, and deleted in words that fit it', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'accounts' })
  const { page } = opened
  await page.getByRole('button', { name: 'Add an account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an account' })
  await dialog.getByLabel('Id', { exact: true }).fill('cloud')
  const provider = dialog.getByLabel('Provider')
  await provider.fill('azure')
  expect(await dialog.getByLabel('Base URL', { exact: true }).getAttribute('required')).toBe('')
  await dialog.getByLabel('It signs in with').selectOption('an application of Microsoft Entra')
  await dialog.getByLabel('Client secret').waitFor()
  await provider.fill('openai')
  expect(await dialog.getByLabel('It signs in with').count()).toBe(0)
  await provider.fill('bedrock')
  await dialog.getByLabel('Region').fill('eu-central-1')
  await dialog.getByLabel('It signs in with').selectOption('an access key of AWS')
  await dialog.getByLabel('Access key id').fill('AKIAEXAMPLE')
  await dialog.getByLabel('Secret access key').fill('env:DRAGOMAN_ACCOUNT_CLOUD')
  await dialog.getByLabel('Models').fill('nova = eu.amazon.nova-pro-v1:0')
  await dialog.getByText('More', { exact: true }).click()
  await dialog.getByLabel('Guardrail', { exact: true }).fill('gr-1')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'cloud', exact: true }).click()
  const settings = page.getByRole('region', { name: 'Settings' })
  const words = (await settings.innerText()).replaceAll(/\s+/g, ' ')
  expect(words).toContain('Region eu-central-1')
  expect(words).toContain('AWS accessKeyId AKIAEXAMPLE')
  expect(words).toContain('Guardrail id gr-1, version DRAFT')
  expect(words).toMatch(/Credential set, ends in \w{4}, environment/)

  // Accounts alone speak its dialect: clients ask for its models in another.
  await page.getByRole('region', { name: 'Models' }).getByText('in messages').waitFor()
  await page.getByRole('button', { name: 'Change' }).click()
  const change = page.getByRole('dialog')
  expect(await change.getByLabel('Access key id').inputValue()).toBe('AKIAEXAMPLE')
  await change.getByLabel('Weight').fill('2')
  await change.getByRole('button', { name: 'Change' }).click()
  await page.getByText('cloud is changed.').waitFor()
  await page.getByText('0, 2', { exact: true }).waitFor()
  expect((await settings.innerText()).replaceAll(/\s+/g, ' ')).toContain('Guardrail id gr-1')

  await page.getByRole('button', { name: 'Delete' }).click()
  const worst = page.getByRole('dialog', { name: 'Delete cloud' })
  const effect = await worst.innerText()
  expect(effect).toContain('Its record goes. No call is in flight at it now.')
  expect(effect).not.toContain('sealed')
  await worst.getByLabel('Reason').fill('A trial.')
  await worst.getByLabel('Type cloud to confirm').fill('cloud')
  await worst.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  expect(opened.faults).toEqual([])
})

test('the list counts those in trouble as the Overview does, and has them first however many accounts there are', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'overview' })
  const { page } = opened
  const note = await page.getByText(/\d+ of \d+ accounts? gets? no calls/).innerText()
  const [, without = '', total = '', partly = '0'] =
    /(\d+) of (\d+) accounts? gets? no calls(?:, (\d+) only some)?/.exec(note) ?? []
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  await page
    .getByRole('button', { name: `In trouble ${Number(without) + Number(partly)}`, exact: true })
    .waitFor()
  await page.getByRole('button', { name: `All ${total}`, exact: true }).waitFor()

  // Pages without an end: those in trouble are behind the accounts that are shown.
  let row: object | undefined
  let before = 0
  await changeAnswer(page, 'Accounts', ({ accounts }) => {
    row ??= accounts.edges.find((one: Row) => one.node.serves === 'ALL').node
    accounts.edges = Array.from({ length: 100 }, (_, index) => ({
      node: { ...row, id: `account-${before + index}` },
    }))
    before += 100
    accounts.pageInfo = { hasNextPage: true, endCursor: 'z' }
    accounts.totalCount = 10_000
  })
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  await page.getByText(/Shown are the first [\d,]+ accounts by their ids, of 10,000/).waitFor()
  await expect.poll(async () => (await rowsOf(opened)).slice(0, 2)).toContain('archive')
  expect(opened.faults).toEqual([])
})

test('the list says that it is empty only after a complete answer', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  const claim = page.getByText('There is no account')
  const list = {
    edges: [],
    pageInfo: { hasNextPage: false, endCursor: null },
    ...noCounts,
  }
  const answers = await answerWith(page, 'Accounts', 'away')
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  await page.getByText('The gateway does not answer.').waitFor()
  expect(await claim.count()).toBe(0)

  answers.next({
    data: { accounts: list },
    extensions: { incomplete: [{ field: 'accounts', reason: 'The store does not answer.' }] },
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Not complete: the accounts. The store does not answer.').waitFor()
  expect(await claim.count()).toBe(0)

  answers.next({ data: { accounts: list } })
  await claim.waitFor({ timeout: 12_000 })
})

test('of a thousand accounts only those in view are in the document', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  const answer = await fixture.gateway.graph<{ accounts: { edges: { node: object }[] } }>(
    `{ accounts(first: 1) { edges { node { id provider state serves stateReason stateUntil models
      inFlight priority weight managedBy enabled transport { maxConcurrent } recentCalls { calls failures }
      exclusions { kind by reason status until dialect models keyId isProbing } } } } }`,
  )
  const [first] = answer.data.accounts.edges
  const edges = Array.from({ length: 1_000 }, (_, index) => ({
    node: { ...first!.node, id: `account-${index}` },
  }))
  const pageInfo = { hasNextPage: false, endCursor: null }
  await answerWith(page, 'Accounts', {
    data: { accounts: { edges, pageInfo, ...noCounts, totalCount: 1_000 } },
  })
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  const list = page.getByRole('region', { name: 'Accounts' }).getByRole('table')
  await page.getByRole('button', { name: 'All 1,000' }).waitFor()
  expect(await list.getAttribute('aria-rowcount')).toBe('1001')
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000)
  await list.locator('tbody th a').first().focus()
  for (let step = 0; step < 30; step++) await page.keyboard.press('j')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^account-\d+$/)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000)
})
