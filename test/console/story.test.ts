import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import { startAdminGateway } from '../admin/admin-gateway.ts'
import { launchBrowser } from '../admin/http/browser.ts'
import { newSecretKey } from '../admin/stored-accounts.ts'
import { buildConsole } from './built.ts'
import { openConsolePage } from './console-page.ts'
import { startUpstream } from './upstream.ts'

const credential = 'sk-story-canary-0123456789abcdef'
const model = 'gpt-5.4-mini'

test('an operator adds an account and a key, sees a call live, finds out why it fails, and takes the account out', async () => {
  await buildConsole()
  await using upstream = await startUpstream([{ id: 'story', key: credential }])
  await using gateway = await startAdminGateway({
    keys: [],
    env: { DRAGOMAN_SECRET_KEY: newSecretKey() },
  })
  await using browser = await launchBrowser()
  await using opened = await openConsolePage(browser, gateway, { waits: false })
  const { page } = opened
  const dialog = page.getByRole('dialog')
  const visit = async (name: string) => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const confirm = async (verb: string) => {
    await dialog.getByRole('button', { name: verb, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  await page.getByLabel('Admin token').fill(gateway.token('admin'))
  await button('Sign in').click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  await page.getByText('Three steps to the first call').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'An account: to do' }).waitFor()
  await page.getByRole('link', { name: 'Add an account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  await button('Add an account').click()
  await dialog.getByLabel('Id', { exact: true }).fill('first')
  await dialog.getByLabel('Provider', { exact: true }).fill('openai')
  await dialog.getByLabel('Base URL', { exact: true }).fill(`${upstream.url}/v1`)
  await dialog.getByLabel('Models', { exact: true }).fill(model)
  await dialog.getByLabel('Credential', { exact: true }).fill(credential)
  await confirm('Add')
  await page.getByRole('row', { name: /first.*Serving/s }).waitFor()

  await visit('Keys')
  await button('Create a key').click()
  await dialog.getByLabel('Id', { exact: true }).fill('app')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText(/^The secret of/).waitFor()
  const [secret = ''] = /dgm_[\w-]{20,}/.exec(await dialog.innerText()) ?? []
  expect(secret).not.toBe('')
  await page.keyboard.press('Escape')
  await dialog.getByText(/^The secret of/).waitFor()
  await dialog.getByRole('button', { name: /^I have/ }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('link', { name: 'app', exact: true }).click()
  await button('Set a limit').click()
  await dialog.getByLabel('What it counts', { exact: true }).selectOption({ label: 'Cost' })
  await dialog.getByLabel('Amount in US dollars', { exact: true }).fill('25')
  await confirm('Set')
  await page.getByText('of $25.00').waitFor()

  const client = (steer: string) =>
    new OpenAI({
      apiKey: secret,
      baseURL: `${gateway.url}/v1`,
      maxRetries: 0,
      defaultHeaders: { 'x-sandbox': steer },
    })
  await visit('Calls')
  const slow = await client('words=160; pace=30').responses.create({
    model,
    input: 'Tell me a story.',
    stream: true,
  })
  let responseId = ''
  const read = (async () => {
    for await (const event of slow)
      if (event.type === 'response.created') responseId = event.response.id
  })()
  void read.catch(() => {})
  await page.getByRole('row', { name: new RegExp(`${model}.*first`, 's') }).waitFor()
  await expect.poll(() => responseId).not.toBe('')

  upstream.break('story', { status: 401 })
  const failing = client('').responses.create({ model, input: 'Hello' })
  await expect(failing).rejects.toThrow()
  await visit('Overview')
  await page.getByText('Refused').first().waitFor()
  await page
    .getByText(/answered 401 to its credential/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'first', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'first' }).waitFor()
  await page
    .getByText(/answered 401/)
    .first()
    .waitFor()
  await button('Disable').click()
  await dialog.getByLabel('Reason', { exact: true }).fill('It fails since noon.')
  await confirm('Disable')
  await button('Enable').first().waitFor()
  await read

  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
  await page.keyboard.insertText(responseId)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Bindings' }).waitFor()
  await page.getByRole('link', { name: 'first', exact: true }).first().waitFor()

  await visit('Explain')
  await page.getByLabel('Key', { exact: true }).fill('app')
  await page.getByLabel('Model', { exact: true }).fill(model)
  await page.getByLabel('Dialect', { exact: true }).fill('responses')
  await button('Explain').click()
  await page.getByText('it is disabled').first().waitFor()

  await visit('Usage')
  await page
    .getByRole('row', { name: /app.*\$0\.00/s })
    .first()
    .waitFor()
  await visit('Audit')
  await page.getByRole('row', { name: /account\.disable.*first.*It fails since noon\./s }).waitFor()
  const texts = await opened.texts()
  expect([texts.includes(credential), opened.faults]).toEqual([false, []])
}, 120_000)
