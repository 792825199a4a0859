import { expect, test } from 'vitest'

import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type TestGatewayOptions, createTestGateway } from '../../../src/testing/gateway.ts'
import { done, operationStage, order } from './stage.ts'

test('a file that its account has moved is followed', async () => {
  await using stage = await operationStage()
  const { response } = await done(stage, await order(stage, 'sandbox/polls=0+moved'))
  const { pathname } = new URL(response?.generatedVideos[0]?.uri ?? '')
  const part = await stage.ask(pathname, { headers: { range: 'bytes=4-7' } })
  expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
  expect(stage.sandbox.requests.at(-1)).toMatchObject({
    url: expect.stringContaining('/download/'),
    headers: { 'x-goog-api-key': 'sandbox-key-a' },
  })
})

/** An account with one operation, and another host that has its video. */
async function twoHosts(
  downloads: (elsewhere: string) => { uri: string; answer?: Answer },
  optionsFor: (elsewhere: string) => TestGatewayOptions,
) {
  const elsewhere = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' }).end('a video')
  })
  const { uri, answer } = downloads(elsewhere.url)
  const account = await startFakeAccount((response, request) => {
    if (request.url.includes('/files/')) return answer?.(response, request)
    const generatedSamples = [{ video: { uri, encoding: 'video/mp4' } }]
    const result = { generateVideoResponse: { generatedSamples } }
    const operation = { name: 'models/m/operations/1', done: true, response: result }
    return answerJson(operation)(response, request)
  })
  const gateway = await createTestGateway({
    ...optionsFor(elsewhere.url),
    accounts: [
      { id: 'a', provider: 'gemini', baseUrl: account.url, apiKey: 'the-secret', models: ['*'] },
    ],
  })
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
  const created = await fetch(`${gateway.url}/v1/videos`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', prompt: 'a' }),
  })
  const { id } = (await created.json()) as { id: string }
  return {
    elsewhere,
    download: () => fetch(`${gateway.url}/v1/videos/${id}/content`, { headers }),
    async [Symbol.asyncDispose]() {
      for (const one of [gateway, account, elsewhere]) await one[Symbol.asyncDispose]()
    },
  }
}

const places = {
  'where it is redirected to': (url: string) => ({
    uri: 'https://x.test/v1beta/files/abc:download',
    answer: ((response) => {
      response.writeHead(302, { location: `${url}/video?signed=1` }).end()
    }) satisfies Answer,
  }),
  'where its URI says': (url: string) => ({ uri: `${url}/video?signed=1` }),
}

test.each(Object.keys(places) as (keyof typeof places)[])(
  'a file is fetched from another host, %s, which learns nothing of the account',
  async (name) => {
    const allow = (url: string) => ({ remote: { allow: [new URL(url).host], allowHttp: true } })
    await using hosts = await twoHosts(places[name], allow)
    const content = await hosts.download()
    expect([content.status, await content.text()]).toEqual([200, 'a video'])
    const [asked] = hosts.elsewhere.requests
    expect(asked?.url).toBe('/video?signed=1')
    expect(JSON.stringify(asked?.headers)).not.toContain('the-secret')
  },
)

test.each(Object.keys(places) as (keyof typeof places)[])(
  'a host that clients must not reach is not asked, %s',
  async (name) => {
    await using hosts = await twoHosts(places[name], () => ({ remote: { allowHttp: true } }))
    const content = await hosts.download()
    expect(content.status).toBe(502)
    expect(hosts.elsewhere.requests).toEqual([])
  },
)
