import assert from 'node:assert/strict'
import { test } from 'node:test'

import { answerStream, createTestGateway, startFakeAccount } from 'dragoman/testing'

import { guardrail } from './guardrail.ts'
import { StreamMask, compileWords } from './words.ts'

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  const reply = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
  return `data: ${JSON.stringify(reply)}\n\n`
}

/** A gateway with the guardrail before an account that streams these pieces of text. */
async function start(pieces: readonly string[]) {
  const frames = pieces.map((content) => chunk({ content }))
  const account = await startFakeAccount(
    answerStream([...frames, chunk({}, 'stop'), 'data: [DONE]\n\n']),
  )
  const gateway = await createTestGateway({
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
    plugins: [guardrail({ refuse: ['launch code'], mask: ['Project Nightfall'] })],
  })
  const ask = (content: string) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] }),
    })
  return {
    ask,
    account,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

test('a stream is masked, also where a phrase comes in pieces', async () => {
  await using scene = await start(['It is proj', 'ect night', 'fall. Project', ' X'])
  const text = await (await scene.ask('Hello')).text()
  const said = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('')
  assert.equal(said, 'It is *****************. Project X')
  assert.match(text, /data: \[DONE\]\n\n$/)
})

test('a request is refused before an account is asked', async () => {
  await using scene = await start(['Hello'])
  const response = await scene.ask('Tell me the LAUNCH CODE.')
  assert.equal(response.status, 422)
  assert.doesNotMatch(await response.text(), /launch/i)
  assert.equal(scene.account.requests.length, 0)
})

test('text is masked alike wherever it is cut', () => {
  const words = compileWords(['Nightfall', 'Nightfall 2', 'fallen'])
  const text = 'nightfallen, Nightfall 2, Nightfall 3; fall'
  const masked = words.mask(text)
  assert.equal(masked, '*********en, ***********, ********* 3; fall')
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const mask = new StreamMask(words)
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)]
      assert.equal(pieces.map((piece) => mask.push(piece)).join('') + mask.end(), masked)
    }
  }
})

test('an empty word is a mistake', () => {
  assert.throws(() => guardrail({ mask: [' '] }), /is empty/)
})
