import { expect, test } from 'vitest'

import { defineDialect, definePlugin, type Feature } from '../../../../src/dialect-kit/index.ts'
import { createTestGateway, startFakeAccount } from '../../../../src/testing/index.ts'
import { shoutCodec } from '../codec/index.ts'
import { shoutDialect } from '../index.ts'
import { accountAt, answerShout } from '../speaking.ts'

const messages = [{ role: 'user', content: 'hear me' }]

/** A gateway with a codec that was written before these features were known, and its account. */
async function stageOlder(...unknown: Feature[]) {
  const lacks = Object.entries(shoutCodec.lacks ?? {}).filter(
    ([feature]) => !unknown.some((one) => one === feature),
  )
  const codec = { ...shoutCodec, lacks: Object.fromEntries(lacks) }
  const older = defineDialect({ ...shoutDialect, generate: { codec, produces: 'shout' } })
  const account = await startFakeAccount(answerShout)
  const gateway = await createTestGateway({
    plugins: [definePlugin({ name: 'older-shout', dialects: [older] })],
    accounts: [accountAt('first', account.url)],
    keys: (['drop', 'reject'] as const).map((losses) => ({ id: losses, secret: losses, losses })),
  })
  const ask = (secret: string, fields: object) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'stentor', messages, ...fields }),
    })
  return {
    account,
    ask,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

test('a feature that a codec does not know is not lost in silence', async () => {
  await using scene = await stageOlder('seed')
  const response = await scene.ask('drop', { seed: 7 })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-losses')).toBe('seed')
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

test('stop sequences that a codec does not know are emulated', async () => {
  await using scene = await stageOlder('stop')
  const response = await scene.ask('reject', { stop: ['ME'] })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'HEAR ' } }] })
})
