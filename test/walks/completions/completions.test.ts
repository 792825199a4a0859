import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { accountStage, embeddingStage } from '../embeddings/stage.ts'
import { openaiVersions } from '../sdk/openai.ts'
import { caught, collect } from '../sdk/walk.ts'

const families = ['completions', 'chat', 'responses', 'messages', 'generate', 'converse']
const model = 'sandbox/echo'
const path = '/v1/completions'

describe.each(families)('on an account that speaks %s', (family) => {
  test.each(openaiVersions)('$name completes a prompt, whole and streamed', async (version) => {
    await using stage = await embeddingStage([family])
    const client = version.connect(stage)
    const whole = await client.completions.create({ model, prompt: 'a cat', max_tokens: 50 })
    expect(whole.object).toBe('text_completion')
    expect(whole.choices).toMatchObject([
      { index: 0, text: 'You said: a cat', finish_reason: 'stop', logprobs: null },
    ])
    expect(whole.usage?.prompt_tokens).toBeGreaterThan(0)

    const chunks = await collect(
      await client.completions.create({
        model,
        prompt: ['a cat'],
        max_tokens: 50,
        stream: true,
        stream_options: { include_usage: true },
      }),
    )
    const texts = chunks.flatMap(({ choices }) => choices.map(({ text }) => text))
    expect(texts.join('')).toBe('You said: a cat')
    expect(
      chunks.flatMap(({ choices }) => choices.flatMap((one) => one.finish_reason ?? [])),
    ).toEqual(['stop'])
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0)
  })

  test('a stream that ends too early is no success', async () => {
    await using stage = await embeddingStage([family])
    const response = await fetch(stage.gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.gateway.key}` },
      body: JSON.stringify({
        model: 'sandbox/words=20+eof=8',
        prompt: 'a',
        stream: true,
        max_tokens: 50,
      }),
    })
    const text = await response.text().catch(() => 'reset')
    expect(text).not.toContain('[DONE]')
    expect(text === 'reset' || text.includes('"error"')).toBe(true)
    const [line] = await stage.gateway.logged(1)
    expect(line).toMatchObject({ error_type: 'upstream_stream_broken' })
  })

  test('a limit of tokens ends it with `length`', async () => {
    await using stage = await embeddingStage([family])
    const body = { model: 'sandbox/words=40', prompt: 'a cat', max_tokens: 16 }
    const { json } = await stage.post({ path, body })
    expect(json.choices[0]).toMatchObject({ finish_reason: 'length' })
  })
})

const nativeOnly: [string, object][] = [
  ['prompt', { prompt: [1, 2] }],
  ['prompt', { prompt: ['a', 'b'] }],
  ['prompt', { prompt: null }],
  ['echo', { echo: true }],
  ['suffix', { suffix: 'end' }],
  ['logprobs', { logprobs: 0 }],
  ['logit_bias', { logit_bias: { 50256: -100 } }],
  ['n', { n: 2 }],
  ['best_of', { best_of: 2 }],
]

test.each(dailyRows(nativeOnly))('%s %j reaches native accounts only', async (param, fields) => {
  const body = { model, prompt: 'a cat', ...fields }
  await using chat = await embeddingStage(['chat'])
  const refused = await chat.post({ path, body })
  expect([refused.status, refused.json.error.param]).toEqual([400, param])
  expect(chat.sandbox.requests).toHaveLength(0)
  await using native = await embeddingStage(['completions'])
  expect((await native.post({ path, body })).status).toBe(200)
})

test('an account of completions alone serves no chats', async () => {
  await using stage = await embeddingStage(['completions'])
  const body = { model, messages: [{ role: 'user', content: 'a' }] }
  expect((await stage.post({ path: '/v1/chat/completions', body })).status).toBe(404)
  expect(stage.sandbox.requests).toHaveLength(0)
})

test.each([
  ['gpt-3.5-turbo-instruct', '/v1/completions'],
  ['davinci-002', '/v1/completions'],
  ['gpt-5', '/v1/responses'],
])('OpenAI serves %s at %s', async (name, asked) => {
  const models = [name]
  const speaks = ['responses', 'completions']
  await using stage = await accountStage([answerJson({ error: { message: 'no' } })], {
    models,
    speaks,
  })
  await stage.post({ path, body: { model: name, prompt: 'a' } })
  expect(stage.servers[0]!.requests[0]!.url).toBe(asked)
})

describe('a request that every account would refuse reaches none', () => {
  test.each<[object, string]>([
    [{ model: undefined }, 'model'],
    [{ prompt: 1 }, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: ['a', 1] }, 'prompt'],
    [{ temperature: 3 }, 'temperature'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ stream: 'yes' }, 'stream'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ logit_bias: 1 }, 'logit_bias'],
  ])('%j: %s', async (fields, param) => {
    await using stage = await embeddingStage(['completions'])
    const { status, json } = await stage.post({ path, body: { model, prompt: 'a', ...fields } })
    expect([status, json.error.param]).toEqual([400, param])
    expect(stage.sandbox.requests).toHaveLength(0)
  })
})

test.each(openaiVersions)('$name raises the error inside of a stream', async (version) => {
  await using stage = await embeddingStage(['completions'])
  const client = version.connect(stage, { maxRetries: 0 })
  const asked = client.completions
    .create({ model: 'sandbox/words=20+error=3', prompt: 'a', stream: true, max_tokens: 50 })
    .then((stream) => collect(stream))
  await caught(version.OpenAI.APIError as never, asked)
})
