import { describe, expect, test } from 'vitest'

import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { listedNames, openAiList } from './lists.ts'

const minute = 60_000
const credential = 'sk-account-key-1234'

function account(id: string, url: string, models: string[]) {
  return { id, provider: 'openai', apiKey: credential, baseUrl: `${url}/v1`, models }
}

/** Answers with a list that never ends. */
const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[{"id":"a-1"}')
  const piece = `,{"id":"${'x'.repeat(60_000)}"}`
  const write = () => {
    if (!response.destroyed) response.write(piece, () => setImmediate(write))
  }
  write()
}

const failures: Record<string, Answer> = {
  'refuses the call': answerJson({ error: { message: 'no' } }, { status: 403 }),
  'has no list': answerJson({ error: { message: 'no' } }, { status: 404 }),
  redirects: (response) => void response.writeHead(302, { location: '/v1/elsewhere' }).end(),
  'sends an endless list': endless,
  'sends no JSON': answerJson('<html>a-1</html>'),
  'sends another object': answerJson({ object: 'chat.completion', choices: [] }),
  'sends text that is nested too deeply': answerJson('['.repeat(100_000)),
  'breaks off': (response) => {
    response.writeHead(200, { 'content-length': '500' }).write('{"data":[{"id":"a-1"}')
    setImmediate(() => response.destroy())
  },
}

describe.each(Object.entries(failures))('an account that %s', (_name, answer) => {
  test('does not fail the list, and its calls go on', async () => {
    let works = true
    await using failing = await startFakeAccount((response, request) =>
      request.method === 'POST'
        ? answerJson({ id: 'c', object: 'chat.completion', choices: [] })(response, request)
        : (works ? openAiList('a-1') : answer)(response, request),
    )
    await using working = await startFakeAccount(openAiList('b-1'))
    const time = { now: Date.now() }
    const accounts = [account('a', failing.url, ['a-*']), account('b', working.url, ['b-*'])]
    works = false
    await using never = await createTestGateway({ accounts })
    expect(await listedNames(never.url, never.key)).toEqual(['b-1'])
    const [warning] = never.log
    expect(warning).toMatchObject({ level: 'warn', account: 'a', provider: 'openai' })
    expect(JSON.stringify(never.log)).not.toContain(credential)

    works = true
    await using gateway = await createTestGateway({ accounts, now: () => time.now })
    expect(await listedNames(gateway.url, gateway.key)).toEqual(['a-1', 'b-1'])
    works = false
    time.now += 11 * minute
    const asked = failing.requests.length
    expect(await listedNames(gateway.url, gateway.key)).toEqual(['a-1', 'b-1'])
    await until(() => failing.requests.length > asked && gateway.log.length > 0)
    expect(await listedNames(gateway.url, gateway.key)).toEqual(['a-1', 'b-1'])

    const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'a-1', messages: [{ role: 'user', content: 'Hello' }] })
    await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(failing.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(failing.requests.some(({ url }) => url.includes('elsewhere'))).toBe(false)
  })
})

test('an account without a list has the models that its provider has published', async () => {
  await using upstream = await startFakeAccount(failures['has no list']!)
  await using gateway = await createTestGateway({
    accounts: [account('a', upstream.url, ['gpt-4.1-n*', 'own-*'])],
  })
  expect(await listedNames(gateway.url, gateway.key)).toEqual([
    'gpt-4.1-nano',
    'gpt-4.1-nano-2025-04-14',
  ])
  expect(gateway.log).toEqual([])
})

test('an account that does not answer holds up nobody for long', async () => {
  await using silent = await startFakeAccount(() => {})
  await using working = await startFakeAccount(openAiList('b-1'))
  await using gateway = await createTestGateway({
    accounts: [account('a', silent.url, ['a-*']), account('b', working.url, ['b-*'])],
  })
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['b-1'])
  expect(silent.requests.map(({ aborted }) => aborted)).toEqual([false])
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['b-1'])
  expect(silent.requests).toHaveLength(1)
})

test('a list is asked for again after ten minutes, and a failed one after one', async () => {
  let answer = openAiList('a-1')
  await using upstream = await startFakeAccount((response, request) => answer(response, request))
  const time = { now: Date.now() }
  await using gateway = await createTestGateway({
    accounts: [account('a', upstream.url, ['a-*'])],
    now: () => time.now,
  })
  const list = () => listedNames(gateway.url, gateway.key)
  expect(await list()).toEqual(['a-1'])
  answer = openAiList('a-2')
  time.now += 9 * minute
  expect(await list()).toEqual(['a-1'])
  expect(upstream.requests).toHaveLength(1)
  time.now += 2 * minute
  await until(async () => (await list()).includes('a-2'))
  expect(await list()).toEqual(['a-2'])
  expect(upstream.requests).toHaveLength(2)

  answer = answerJson({}, { status: 500 })
  time.now += 11 * minute
  await list()
  await until(() => gateway.log.length > 0)
  answer = openAiList('a-3')
  await list()
  expect(upstream.requests).toHaveLength(3)
  time.now += 2 * minute
  await until(async () => (await list()).includes('a-3'))
  expect(upstream.requests).toHaveLength(4)
})

test('names of a hostile account reach no client unless a call can have them', async () => {
  const names = [
    'line\nbreak',
    'nul\0',
    '\u202egpt',
    '\ud800',
    '../../admin',
    'a//b',
    'query?x',
    '',
    'x'.repeat(201),
    `key-${credential}`,
    `key-${encodeURIComponent(Buffer.from(credential).toString('base64'))}`,
    'good',
  ]
  await using upstream = await startFakeAccount(openAiList(...names))
  await using gateway = await createTestGateway({
    accounts: [account('a', upstream.url, ['*'])],
  })
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['good'])
})

test('pages without end are asked for ten times', async () => {
  await using upstream = await startFakeAccount((response, request) =>
    answerJson({
      models: [{ name: `models/m-${upstream.requests.length}` }],
      nextPageToken: 'more',
    })(response, request),
  )
  await using gateway = await createTestGateway({
    accounts: [{ id: 'a', provider: 'gemini', apiKey: 'k', baseUrl: upstream.url, models: ['*'] }],
  })
  expect(await listedNames(gateway.url, gateway.key)).toHaveLength(10)
  expect(upstream.requests).toHaveLength(10)
})

test('of a list with tens of thousands of names, five thousand are read', async () => {
  const names = Array.from({ length: 30_000 }, (_, at) => `m-${at}`)
  await using upstream = await startFakeAccount(openAiList(...names))
  await using gateway = await createTestGateway({
    accounts: [account('a', upstream.url, ['*'])],
  })
  expect(await listedNames(gateway.url, gateway.key)).toHaveLength(5_000)
})

test('an account that has left is listed no more', async () => {
  await using upstream = await startFakeAccount(openAiList('a-1', 'b-1'))
  const accounts = [account('a', upstream.url, ['a-*']), account('b', upstream.url, ['b-*'])]
  await using gateway = await createTestGateway({ accounts })
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['a-1', 'b-1'])
  gateway.reload({ accounts: accounts.slice(1) })
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['b-1'])
  gateway.reload({ accounts: accounts.map((one) => ({ ...one, enabled: one.id === 'a' })) })
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['a-1'])
})
