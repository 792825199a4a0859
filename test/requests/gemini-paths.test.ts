import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { answerStream } from '../../src/testing/fake-account.ts'
import { accountsAt, startService } from './service.ts'

const versions = ['v1beta', 'v1', 'v1alpha', 'v1beta1']
const verbs = ['generateContent', 'countTokens']

/** Every way in which clients write the place of a model, and the model that they mean. */
const places: [string, string][] = [
  ['models/m', 'm'],
  ['models/pub/m', 'pub/m'],
  ['models/pub%2Fm', 'pub/m'],
  ['publishers/pub/models/m', 'pub/m'],
  ['publishers/google/models/m', 'google/m'],
  ['projects/p/locations/us-central1/publishers/pub/models/m', 'pub/m'],
  ['pub/m', 'pub/m'],
  ['models/pub/m:free@1%20x', 'pub/m:free@1 x'],
  ['models/m:generateContent', 'm:generateContent'],
  ['models/%C3%A9+x', 'é+x'],
]

describe.each(versions)('#8 /%s', (version) => {
  test.each(dailyRows(places, versions.indexOf(version)))(
    '%s means the model %s',
    async (place, model) => {
      await using service = await startService()
      for (const verb of verbs) {
        const path = `/${version}/${place}:${verb}`
        expect((await service.ask('generate', {}, { path })).status).toBe(200)
        const [, , asked] = /^\/([^/]+)\/models\/(.*):(\w+)$/.exec(service.received().url) ?? []
        expect(decodeURIComponent(asked ?? '')).toBe(model)
        expect(service.received().url).toMatch(new RegExp(`:${verb}$`))
      }
    },
  )
})

test('C15 #12: the slash of a model goes to the account as it is', async () => {
  await using service = await startService()
  for (const place of ['models/pub/m', 'models/pub%2Fm', 'publishers/pub/models/m']) {
    const path = `/v1beta/${place}:generateContent`
    expect((await service.ask('generate', {}, { path })).status).toBe(200)
    expect(service.received().url).toBe('/v1beta/models/pub/m:generateContent')
  }
})

test('the version goes to the account, but for the one that only enterprises have', async () => {
  await using service = await startService()
  for (const version of versions) {
    const path = `/${version}/models/m:generateContent`
    expect((await service.ask('generate', {}, { path })).status).toBe(200)
    const wanted = version === 'v1beta1' ? 'v1beta' : version
    expect(service.received().url).toBe(`/${wanted}/models/m:generateContent`)
  }
})

test('the publisher google, which some clients always write, is left out where it is not meant', async () => {
  await using service = await startService()
  const path = '/v1beta1/publishers/google/models/gemini-x:generateContent'
  service.gateway.reload({ accounts: accountsAt(service.upstream.url, ['gemini-x']) })
  expect((await service.ask('generate', {}, { path })).status).toBe(200)
  expect(service.received().url).toBe('/v1beta/models/gemini-x:generateContent')
  service.gateway.reload({ accounts: accountsAt(service.upstream.url, ['google/gemini-x']) })
  expect((await service.ask('generate', {}, { path })).status).toBe(200)
  expect(service.received().url).toBe('/v1beta/models/google/gemini-x:generateContent')
  const other = path.replace('google', 'acme')
  expect((await service.ask('generate', {}, { path: other })).status).toBe(404)
})

test('a model is renamed in the path, and its body stays as it is', async () => {
  await using service = await startService()
  const accounts = accountsAt(service.upstream.url, { 'pub/m': 'tuned/x y+é' })
  service.gateway.reload({ accounts, aliases: { quick: 'pub/m' } })
  const body = '{ "contents":[{"parts":[{"text":"hi"}]}], "n":1.0e5 }'
  for (const name of ['pub/m', 'quick']) {
    const path = `/v1beta/models/${name}:generateContent`
    expect((await service.post('generate', body, { path })).status).toBe(200)
    const { url, body: sent } = service.received()
    expect(url).toBe('/v1beta/models/tuned/x%20y%2B%C3%A9:generateContent')
    expect(sent.toString()).toBe(body)
  }
})

test('no name is no model, and another verb is no operation', async () => {
  await using service = await startService()
  for (const place of ['models/m:editText', 'models/:countTokens']) {
    const response = await service.ask('generate', {}, { path: `/v1beta/${place}` })
    expect([404, 405]).toContain(response.status)
  }
  expect(service.upstream.requests).toEqual([])
})

test('contents to count may stand in a whole request', async () => {
  await using service = await startService()
  const path = '/v1beta/models/m:countTokens'
  const contents = [{ parts: [{ text: 'hi' }] }]
  for (const name of ['generateContentRequest', 'generate_content_request']) {
    const body = JSON.stringify({ [name]: { model: 'models/m', contents } })
    expect((await service.post('generate', body, { path })).status).toBe(200)
    expect(service.received().body.toString()).toBe(body)
  }
  expect((await service.post('generate', '{}', { path })).status).toBe(400)
})

const chunk = '{"candidates":[{"content":{"parts":[{"text":"hi"}]},"finishReason":"STOP"}]}'

test('#11: a stream is one array, unless events are asked for', async () => {
  await using service = await startService({}, answerStream([`data: ${chunk}\r\n\r\n`]))
  const path = '/v1beta/models/m:streamGenerateContent'
  const ask = (query: string, accept?: string) =>
    service.ask('generate', {}, { path: path + query, headers: { accept } })
  const asEvents = [
    await ask('?alt=sse'),
    await ask('', 'text/event-stream'),
    await ask('?x=1&alt=sse'),
  ]
  for (const response of asEvents) {
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(await response.text()).toMatch(/^data: \{.*\}\r?\n\r?\n$/)
    expect(service.received().url).toMatch(/[?&]alt=sse$/)
  }
  for (const response of [
    await ask(''),
    await ask('?alt=json'),
    await ask('', 'application/json'),
  ]) {
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual([JSON.parse(chunk)])
    expect(service.received().url).toMatch(/[?&]alt=sse$/)
    expect(service.received().headers.accept).toBe('text/event-stream')
  }
})
