import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { type FormsOptions, formsPath, formsPlugin } from './form-dialect.ts'
import { boundary, uploadOf } from './service.ts'

const large = uploadOf(Buffer.alloc(20 * 1024 * 1024))

type Behaviour = Parameters<typeof createServer>[1]

async function startAccount(behaviour: NonNullable<Behaviour>) {
  const server: Server = createServer(behaviour)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A gateway in front of these accounts, and a client that sends it a large form. */
async function startWith(urls: readonly string[], options: FormsOptions = {}) {
  const gateway = await createTestGateway({
    accounts: urls.map((url, index) => ({
      id: `account-${index + 1}`,
      provider: 'forms',
      baseUrl: `${url}/v1`,
      apiKey: 'account-key',
      models: { m: 'm' },
      priority: index,
    })),
    plugins: [formsPlugin(options)],
  })
  return {
    gateway,
    send: (signal = AbortSignal.timeout(20_000)) =>
      fetch(gateway.url + formsPath, {
        method: 'POST',
        body: large,
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        signal,
      }),
    isClear: () => until(() => gateway.gateway.spooled() === 0 && gateway.gateway.inflight() === 0),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}

const answerAtOnce =
  (status: number): NonNullable<Behaviour> =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end('{"error":{"message":"no need to go on"}}')

const takeAll: NonNullable<Behaviour> = (request, response) => {
  let bytes = 0
  request.on('data', (chunk: Buffer) => (bytes += chunk.length))
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ bytes }))
  })
}

test('an account that refuses before it has the whole form is heard', async () => {
  await using account = await startAccount(answerAtOnce(400))
  await using service = await startWith([account.url])
  const response = await service.send()
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { message: 'no need to go on' } })
  await service.isClear()
})

test.each([429, 503])(
  'where it answers %i at once, the next account gets the whole form',
  async (status) => {
    await using hasty = await startAccount(answerAtOnce(status))
    await using patient = await startAccount(takeAll)
    await using service = await startWith([hasty.url, patient.url])
    const response = await service.send()
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ bytes: large.length })
    await service.isClear()
  },
)

test('so does it where the first account breaks off in the middle', async () => {
  await using breaking = await startAccount((request) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > 5_000_000) request.destroy()
    })
  })
  await using patient = await startAccount(takeAll)
  await using service = await startWith([breaking.url, patient.url])
  expect(await (await service.send()).json()).toEqual({ bytes: large.length })
  await service.isClear()
})

test('a client that leaves while an account takes nothing leaves nothing behind', async () => {
  let asked = 0
  await using stuck = await startAccount((request) => {
    request.pause()
    asked++
  })
  await using service = await startWith([stuck.url])
  const leaving = new AbortController()
  const sent = service.send(leaving.signal)
  await until(() => asked === 1)
  expect(service.gateway.gateway.spooled()).toBe(large.length)
  leaving.abort()
  await expect(sent).rejects.toThrow()
  await service.isClear()
})

test('a call that goes on without its client keeps the form until the account has it', async () => {
  let goOn: (() => void) | undefined
  let received = 0
  await using slow = await startAccount((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length)).pause()
    request.on('end', () => response.writeHead(200).end('{}'))
    goOn = () => request.resume()
  })
  await using service = await startWith([slow.url], { finishWithoutClient: true })
  const leaving = new AbortController()
  const sent = service.send(leaving.signal)
  await until(() => goOn !== undefined)
  leaving.abort()
  await expect(sent).rejects.toThrow()
  expect(service.gateway.gateway.spooled()).toBe(large.length)
  goOn?.()
  await service.isClear()
  expect(received).toBe(large.length)
})
