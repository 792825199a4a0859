import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Ended } from '../../../src/contract/exchange.ts'
import { type Page, nodesOf } from '../../admin/admin-gateway.ts'
import { type Fixture, startFixture } from '../fixture.ts'
import { refuseSpare } from './refused.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('an operator finds why a call was retried, and where its time went', async () => {
  const { retriedId } = fixture.seen
  await using opened = await fixture.open({ role: 'operator', path: 'calls?show=ended' })
  const { page } = opened
  await page.getByLabel('Outcome').selectOption('RETRIED')
  await page.waitForURL(/outcome=RETRIED/)
  await page.getByRole('link', { name: '200 2 attempts' }).click()
  const call = page.getByRole('complementary', { name: 'Call' })
  await call.getByText('One attempt failed before. openai-eu served it.').waitFor()
  await call.getByText(retriedId).waitFor()
  await call.getByText('openai-main answered 503').waitFor()
  const time = call.getByRole('table', { name: 'Time' })
  expect(await time.getByRole('row').count()).toBe(4)
  await call.getByRole('link', { name: 'Explain the route again, now' }).click()
  await page.getByRole('heading', { level: 1, name: 'Explain' }).waitFor()
  await page.getByText('is asked first').waitFor()
  expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('gpt-5.4')
  expect(opened.faults).toEqual([])
})

test('a call that no account served names each account with its reason', async () => {
  await using opened = await fixture.open({
    role: 'viewer',
    path: `calls/${fixture.seen.unservedId}`,
  })
  const { page } = opened
  await page.getByText('No account was asked').waitFor()
  const why = page.locator('section:has(> h3:text-is("Why no account"))')
  await why.getByRole('link', { name: 'openai-spare' }).waitFor()
  // The reason says all: no name of a rule, and no number alone.
  expect(await why.innerText()).toMatch(
    /^Why no account\s+openai-spare refused: [^\n]+ got 401[^\n]*\s+(?:Tried again in|It was to be tried again at) [^\n]+\.$/,
  )
  await opened.go('calls/req_unknown')
  await page.getByText('There is no such call').waitFor()
  expect(opened.faults).toEqual([])
})

test('a failed attempt says what keeps calls from its account now, and until when', async () => {
  await refuseSpare(fixture)
  const query = `{ recent(first: 1, filter: { triedAccountId: "openai-spare" }) { edges { node { id } } } }`
  const { recent } = (await fixture.gateway.graph<{ recent: Page<{ id: string }> }>(query)).data
  await using opened = await fixture.open({
    role: 'viewer',
    path: `calls/${nodesOf(recent)[0]!.id}`,
  })
  const { page } = opened
  const failed = page.locator('section:has(> h3:text-is("Failed attempts"))')
  await failed.getByText('openai-spare answered 401').waitFor()
  expect((await failed.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /Refused now OpenAI answered 401 to its credential\. Tried again in .+\.$/,
  )
  expect(opened.faults).toEqual([])
})

test('a call in flight is seen as it begins, grows older, and is cancelled with a reason', async () => {
  await using opened = await fixture.open({ role: 'operator', path: 'calls' })
  const { page } = opened
  const row = page.getByRole('row', { name: /gpt-5\.4-mini/ })
  await page.getByRole('row', { name: /qwen3-coder/ }).waitFor()
  expect(await row.count()).toBe(0)
  const reply = fixture.call({
    key: 'chat',
    body: { model: 'gpt-5.4-mini', messages: [{ role: 'user', content: 'Hi.' }], stream: true },
    steer: 'words=500; pace=100',
  })
  await row.waitFor()
  await row.getByText(/^Streaming/).waitFor()
  await row.getByRole('link').click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByLabel('Reason').fill('It never ends.')
  await page.getByRole('button', { name: 'Cancel the call' }).click()
  await page.getByText('The call is cancelled.').waitFor()
  expect(await (await reply).text()).toContain('error')
  await page.getByText('In flight', { exact: true }).waitFor({ state: 'detached' })
  expect(opened.faults).toEqual([])
})

test('a dry run shows candidates, exclusions and the error of the client', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'explain' })
  const { page } = opened
  await page.getByText('Which request?').waitFor()
  await page.getByLabel('From a call').fill(fixture.seen.retriedId)
  await page.getByRole('button', { name: 'Take' }).click()
  await page.getByText('is asked first').waitFor()
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('search')
  await page.getByLabel('Operation', { exact: true }).fill('')
  await page.getByLabel('Key', { exact: true }).fill('chat')
  await page.getByLabel('Dialect').fill('messages')
  await page.getByLabel('Model', { exact: true }).fill('gpt-5.4')
  await page.getByRole('button', { name: 'Explain' }).click()
  const first = page.getByRole('table', { name: 'Candidates' }).getByRole('row').nth(1)
  await first.getByText('openai-main').waitFor()
  await page.getByText('Lost in translation').waitFor()
  await page.getByLabel('Model', { exact: true }).fill('gpt-5.4-pro')
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('No account is asked').waitFor()
  await page.getByRole('region', { name: 'What the client gets' }).getByText('529').waitFor()
  expect(opened.faults).toEqual([])
})

test('each operation that can be explained is listed, and one on an id asks for it', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'explain' })
  const { page } = opened
  await page.getByRole('button', { name: 'All operations' }).click()
  const table = page.getByRole('table', { name: 'Operations' })
  await table.getByRole('link', { name: 'embeddings.create' }).waitFor()
  const { explainable } = (
    await fixture.gateway.graph<{ explainable: readonly { readonly operation: string }[] }>(
      '{ explainable { operation } }',
    )
  ).data
  const listed = await table.getByRole('link').allInnerTexts()
  expect(listed).toEqual(explainable.map(({ operation }) => operation))
  await table.getByRole('link', { name: 'rerank.create' }).click()
  expect(await page.getByLabel('Dialect').inputValue()).toBe('rerank')
  await page.getByText('Order documents by their relevance to a query').first().waitFor()
  await page.getByLabel('Dialect', { exact: true }).fill('responses')
  await page.getByLabel('Operation', { exact: true }).fill('responses.retrieve')
  await page.getByLabel('Key', { exact: true }).fill('search')
  await page.getByLabel('Id in its path').fill(fixture.seen.responseId)
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByText('is asked first').waitFor()
  await page.getByText('the request names none').waitFor()
  expect(opened.faults).toEqual([])
})

test('calls that end behind the list are counted, and those of a time are found; a call leads to what it made', async () => {
  await using opened = await fixture.open({
    role: 'viewer',
    path: 'calls?show=ended&keyId=search&dialect=responses',
  })
  const { page } = opened
  await page.getByRole('status').getByText('Live', { exact: true }).first().waitFor()
  const ask = async (key: string, input: string) => {
    const reply = await fixture.call({
      key,
      path: '/v1/responses',
      body: { model: 'gpt-5.4', input },
    })
    await reply.text()
  }
  const rows = page.getByRole('table', { name: 'Calls that ended' }).locator('tbody tr')
  const before = await rows.count()
  await ask('search', 'One.')
  await ask('chat', 'Of another key.')
  await ask('search', 'Two.')
  await page.getByRole('button', { name: '2 newer, show' }).click()
  await page.getByRole('button', { name: '2 newer, show' }).waitFor({ state: 'detached' })
  expect(await rows.count()).toBe(before + 2)

  await rows.last().getByRole('link').click()
  const call = page.getByRole('complementary', { name: 'Call' })
  const { responseId } = fixture.seen
  await call.getByRole('link', { name: `Which account owns ${responseId}` }).waitFor()
  await page.keyboard.press('Escape')
  await call.waitFor({ state: 'detached' })
  await page.locator('h1').click()
  await page.keyboard.press('/')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
    .toBe('model')
  await page.getByLabel('Began from').fill('2035-01-01T10:00:00')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL(/from=.*2035-01-01T10/)
  await page.getByText('None of the last calls has all of these.').waitFor()
  expect(opened.faults).toEqual([])
})

test('a list and its call together ask once in a second, and no more', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'calls' })
  const { page } = opened
  await page
    .getByRole('row', { name: /qwen3-coder/ })
    .getByRole('link')
    .click()
  await page.getByText('has been replying for').waitFor()
  const stop = new AbortController()
  const calls = (async () => {
    while (!stop.signal.aborted) {
      const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi.' }] }
      await (await fixture.call({ key: 'chat', body })).text()
    }
  })()
  const before = opened.operations.length
  await page.waitForTimeout(4_000)
  const asked = opened.operations.length - before
  stop.abort()
  await calls
  expect(asked).toBeGreaterThan(1)
  expect(asked).toBeLessThanOrEqual(5)
})

test('a phone has the filters of a list behind one button', async () => {
  await using opened = await fixture.open({
    role: 'viewer',
    width: 390,
    height: 844,
    path: 'calls?show=ended&outcome=SERVER_ERROR',
  })
  const { page } = opened
  const outcome = page.getByLabel('Outcome')
  expect(await outcome.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Filter, 1 on' }).click()
  await outcome.selectOption('')
  await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
  expect(opened.faults).toEqual([])
})

test('a list of calls in flight that is cut says how many there are', async () => {
  const { monitor } = fixture.gateway.services.processes
  const progress = { attempts: 0, former: [], failed: [], left: [], bytesIn: 0, bytesOut: 0 }
  for (let number = 0; number < 250; number++)
    monitor.begin({
      id: `req_many_${number}`,
      receivedAt: performance.now(),
      caller: { keyId: 'many' },
      progress: { ...progress, streamed: false, slot: -1 },
    } as unknown as Ended)
  await using opened = await fixture.open({ role: 'viewer', path: 'calls?keyId=many' })
  const { page } = opened
  await page
    .getByText('Not complete: the calls in flight. The field shows 200 of 250: the oldest.')
    .waitFor()
  // The number of rows is not the number of calls.
  await page.getByRole('button', { name: 'In flight', exact: true }).waitFor()
  expect(opened.faults).toEqual([])
})
