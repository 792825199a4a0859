import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import { startProxy } from './servers.ts'

const job = { id: 'vid_1', object: 'video', model: 'm', seconds: '4', size: '720x1280' }

/** Makes a video, and downloads it. */
async function download({ url, key }: TestGateway): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const body = new FormData()
  for (const [name, value] of [
    ['model', 'm'],
    ['prompt', 'a snail'],
  ] as const) {
    body.set(name, value)
  }
  const made = await fetch(`${url}/v1/videos`, { method: 'POST', headers, body })
  const { id } = (await made.json()) as { id: string }
  return (await fetch(`${url}/v1/videos/${id}/content`, { headers })).text()
}

test('a video comes the same way as its job, until another host stores it', async () => {
  await using elsewhere = await startFakeAccount((response) => void response.end('from elsewhere'))
  await using account = await startFakeAccount((response, request) => {
    const { method, url } = request
    if (url === '/file') return void response.end('from the account')
    if (url.endsWith('/content')) {
      const location = isElsewhere ? `${elsewhere.url}/file` : '/file'
      return void response.writeHead(302, { location }).end()
    }
    const state = method === 'POST' ? 'queued' : 'completed'
    return answerJson({ ...job, status: state, progress: state === 'queued' ? 0 : 100 })(
      response,
      request,
    )
  })
  let isElsewhere = false
  await using proxy = await startProxy()
  await using gateway = await createTestGateway({
    remote: { allowHttp: true, allow: [new URL(elsewhere.url).host] },
    accounts: [
      {
        id: 'a',
        provider: 'openai',
        baseUrl: `${account.url}/v1`,
        apiKey: 'key-0123456789',
        models: ['*'],
        speaks: ['videos'],
        headers: { 'x-tenant': 'research' },
        proxy: `http://${proxy.host}`,
      },
    ],
  })

  expect(await download(gateway)).toBe('from the account')
  isElsewhere = true
  expect(await download(gateway)).toBe('from elsewhere')

  expect(account.requests.map(({ url }) => url)).toContain('/file')
  expect(new Set(account.requests.map(({ headers }) => headers['x-tenant']))).toEqual(
    new Set(['research']),
  )
  const { host } = new URL(account.url)
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([host]))
  expect(elsewhere.requests).toHaveLength(1)
  expect(elsewhere.requests[0]?.headers).not.toHaveProperty('x-tenant')
  expect(elsewhere.requests[0]?.headers).not.toHaveProperty('authorization')
})
