import { expect, test } from 'vitest'

import { definePlugin } from '../../src/index.ts'
import {
  type AccountRequest,
  answerJson,
  createTestGateway,
  startFakeAccount,
} from '../../src/testing/index.ts'
import { accountAt, answerChat, askChat, frames, reply, stage } from './chat.ts'
import { requestSigning, sign, signatureHeader } from './request-signing.ts'

const secrets = { first: 'secret-of-first', second: 'secret-of-second' }

function expectSigned({ method, url, body, headers }: AccountRequest, secret: string): void {
  expect(headers[signatureHeader]).toBe(sign({ method, path: url, body }, secret))
}

test('every account of a failover gets its own signature over its own request', async () => {
  await using first = await startFakeAccount(answerJson({ error: {} }, { status: 503 }))
  await using second = await startFakeAccount(answerJson(reply))
  await using gateway = await createTestGateway({
    accounts: [
      accountAt('first', first.url, { models: { m: 'm-1' } }),
      accountAt('second', second.url, { models: { m: 'm-2' }, priority: 1 }),
    ],
    plugins: [requestSigning({ secrets })],
  })

  const response = await askChat(gateway)

  expect(response.headers.get('x-dragoman-account')).toBe('second')
  expect(first.requests[0]!.body.toString()).toContain('"m-1"')
  expectSigned(first.requests[0]!, secrets.first)
  expect(second.requests[0]!.body.toString()).toContain('"m-2"')
  expectSigned(second.requests[0]!, secrets.second)
})

test('a streamed request is signed as any other', async () => {
  await using scene = await stage({ plugins: [requestSigning({ secrets: { only: 'shared' } })] })
  const response = await askChat(scene.gateway, {
    fields: { stream: true, stream_options: { include_usage: true } },
  })
  expect(await response.text()).toBe(frames.join(''))
  expectSigned(scene.account.requests[0]!, 'shared')
})

test('an account without a shared secret gets the request as it is', async () => {
  await using scene = await stage({ plugins: [requestSigning({ secrets })] })
  await askChat(scene.gateway)
  expect(scene.account.requests[0]!.headers).not.toHaveProperty(signatureHeader)
})

test('an attempt plugin sees every attempt, the failed ones too', async () => {
  const seen: string[] = []
  const watch = definePlugin({
    name: 'watch',
    async onAttempt({ exchange: { attempt, candidate }, next }) {
      const name = `${attempt.number} ${candidate.account.id} ${candidate.upstreamModel}`
      try {
        const reply = await next()
        seen.push(`${name}: ${reply.status}`)
        return reply
      } catch (error) {
        seen.push(`${name}: failed`)
        throw error
      }
    },
  })
  await using first = await startFakeAccount(answerJson({ error: {} }, { status: 503 }))
  await using second = await startFakeAccount(answerJson(reply))
  await using gateway = await createTestGateway({
    accounts: [
      accountAt('first', first.url, { models: { m: 'm-1' } }),
      accountAt('second', second.url, { models: { m: 'm-2' }, priority: 1 }),
    ],
    plugins: [watch],
  })
  expect((await askChat(gateway)).status).toBe(200)
  expect(seen).toEqual(['1 first m-1: failed', '2 second m-2: 200'])
})

test('an attempt plugin may ask its account once more', async () => {
  const again = definePlugin({ name: 'again', onAttempt: ({ next }) => next().catch(() => next()) })
  const refusals = [503, 503, 503]
  await using scene = await stage({ plugins: [again] }, (response, request) => {
    const status = refusals.shift()
    const answer = status ? answerJson({ error: {} }, { status }) : answerChat
    return answer(response, request)
  })
  expect((await askChat(scene.gateway)).status).toBe(503)
  expect(scene.account.requests).toHaveLength(2)
  expect((await askChat(scene.gateway)).status).toBe(200)
  expect(scene.account.requests).toHaveLength(4)
  expect((await scene.gateway.logged(2))[1]).toMatchObject({ attempts: 1 })
})
