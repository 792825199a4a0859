import { expect, test } from 'vitest'

import {
  defineDialect,
  definePlugin,
  type Feature,
  hasClients,
} from '../../../src/dialect-kit/index.ts'
import { createTestGateway, startFakeAccount } from '../../../src/testing/index.ts'
import { answerChat, read } from './account.ts'
import { ollama } from './plugin.ts'

const messages = [{ role: 'user', content: 'hear me' }]

/** A gateway with a codec that was written before these features were known, and its account. */
async function stageOlder(...unknown: Feature[]) {
  await using starting = new AsyncDisposableStack()
  const [dialect] = (ollama().dialects ?? []).filter(hasClients)
  const { codec } = dialect!.generate!
  const supports = codec.supports.filter((feature) => !unknown.includes(feature))
  const generate = { codec: { ...codec, supports }, produces: 'ollama' }
  const older = defineDialect({ ...dialect!, generate })
  const account = starting.use(await startFakeAccount(answerChat))
  const gateway = starting.use(
    await createTestGateway({
      plugins: [definePlugin({ name: 'older-ollama', dialects: [older] })],
      accounts: [{ id: 'local', provider: 'ollama', baseUrl: account.url, models: ['*'] }],
      keys: (['drop', 'reject'] as const).map((losses) => ({ id: losses, secret: losses, losses })),
    }),
  )
  const started = starting.move()
  return {
    account,
    ask: (secret: string, fields: object) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify({ model: 'llama3.3', messages, ...fields }),
      }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

test('a feature that a codec does not list is not lost in silence', async () => {
  await using scene = await stageOlder('seed')
  const response = await scene.ask('drop', { seed: 7, temperature: 0.5 })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-losses')).toBe('seed')
  expect(read(scene.account.requests[0]!)).toMatchObject({ options: { temperature: 0.5 } })
})

test('and is refused, by its name, where nothing may be lost', async () => {
  await using scene = await stageOlder('seed')
  const response = await scene.ask('reject', { seed: 7 })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { param: 'seed', message: expect.stringContaining('do not support it') },
  })
  expect(scene.account.requests).toHaveLength(0)
})

test('stop sequences that a codec does not list are emulated', async () => {
  await using scene = await stageOlder('stop')
  const response = await scene.ask('reject', { stop: ['me'] })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'hear ' } }] })
})
