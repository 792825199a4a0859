import { describe, expect, test } from 'vitest'

import { answerWith, callOf, dialects, replyOf, spendStage } from './stage.ts'

/** Two searches, three with a repetition. */
const grounding = { webSearchQueries: ['a', 'b', 'a', ''] }

describe('searches of Gemini cost by the query, and until Gemini 3 by the prompt', () => {
  const rows = dialects.flatMap((client) =>
    (['gemini-3.8-flash', 'gemini-2.5-flash'] as const).flatMap((model) =>
      [false, true].map((stream) => ({ client, model, stream })),
    ),
  )
  test.each(rows)('$model for $client, streamed: $stream', async ({ client, model, stream }) => {
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
    const chunk = (text: string, more: object) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
      modelVersion: model,
      responseId: 'r',
    })
    const frames = [
      chunk('x', {}),
      chunk('y', { groundingMetadata: grounding }),
      { ...chunk('z', { finishReason: 'STOP' }), usageMetadata },
    ].map((one) => `data: ${JSON.stringify(one)}\n\n`)
    const whole = chunk('xyz', { finishReason: 'STOP', groundingMetadata: grounding })
    await using stage = await spendStage(
      'generate',
      answerWith({ frames, document: { ...whole, usageMetadata } }),
      { prices: { m: { rates: { input: 1, output: 1 }, units: { search: '0.014' } } } },
    )
    const response = await stage.ask(callOf(client, 'hi', stream))
    expect(response.status).toBe(200)
    await response.text()
    const searches = model.startsWith('gemini-3') ? 2 : 1
    expect(await stage.settled(1)).toMatchObject([
      { usage: 'reported', tokens: { searches }, cost: 15_000 + searches * 14_000_000 },
    ])
  })
})

test('searches of a response cost each, for clients of any dialect', async () => {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const { document } = replyOf('responses', ['x'], usage)
  const search = { type: 'web_search_call', status: 'completed', action: { type: 'search' } }
  const output = [
    { id: 'v', ...search },
    { id: 'w', ...search },
    ...(document as { output: object[] }).output,
  ]
  await using stage = await spendStage(
    'responses',
    answerWith({ document: { ...document, output }, frames: [] }),
    {
      prices: { m: { rates: { input: 1, output: 1 }, units: { search: '0.01' } } },
    },
  )
  for (const client of dialects) await (await stage.ask(callOf(client, 'hi', false))).text()
  const spends = await stage.settled(4)
  expect(spends.map(({ cost }) => cost)).toEqual(Array.from({ length: 4 }, () => 20_015_000))
})

test('an image that another model draws for a response leaves its cost unknown', async () => {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const { document } = replyOf('responses', ['x'], usage)
  const drawn = {
    ...document,
    output: [{ id: 'g', type: 'image_generation_call', status: 'completed', result: 'eA==' }],
  }
  await using stage = await spendStage('responses', answerWith({ document: drawn, frames: [] }))
  await (await stage.ask(callOf('responses', 'hi', false))).text()
  expect(await stage.settled(1)).toMatchObject([{ usage: 'reported', cost: 'no_usage' }])
})

test.each<[string, string, object, object, object, number | string]>([
  [
    'characters that are spoken',
    '/v1/audio/speech',
    { input: 'Grüße', voice: 'alloy' },
    { units: { character: '0.000015' } },
    { characters: 5 },
    75_000,
  ],
  [
    'characters of a model with rates alone',
    '/v1/audio/speech',
    { input: 'Grüße', voice: 'alloy' },
    { rates: { input: '1', output: '2' } },
    { characters: 5 },
    'no_usage',
  ],
  [
    'seconds of audio, rounded up',
    '/v1/audio/transcriptions',
    {},
    { units: { audioSecond: '0.0001' } },
    { audioSeconds: 9 },
    900_000,
  ],
  [
    'seconds without a price',
    '/v1/audio/transcriptions',
    {},
    { units: { character: '1' } },
    { audioSeconds: 9 },
    'no_rate',
  ],
])('%s cost each', async (_, path, body, price, tokens, cost) => {
  await using stage = await spendStage(
    'chat',
    (response) => {
      const isSpeech = path.endsWith('speech')
      response.writeHead(200, { 'content-type': isSpeech ? 'audio/mpeg' : 'application/json' })
      response.end(isSpeech ? 'ID3' : JSON.stringify({ text: 'x', duration: 8.2 }))
    },
    { account: { speaks: ['audio'] }, prices: { m: price } },
  )
  const form = new FormData()
  form.append('file', new File(['x'], 'a.mp3'))
  form.append('model', 'm')
  const response = path.endsWith('speech')
    ? await stage.ask({ path, body: { model: 'm', ...body } })
    : await fetch(stage.gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${stage.gateway.key}` },
        body: form,
      })
  expect(response.status).toBe(200)
  await response.text()
  expect(await stage.settled(1)).toMatchObject([{ usage: 'reported', tokens, cost }])
})

describe('images cost by the piece, by size and quality', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ).toString('base64')
  const units = { image: { '1024x1024': '0.02', '512x512': '0.018', 'high/1024x1536': '0.25' } }
  const rows: readonly [string, string, object, object, number | string][] = [
    ['of a legacy model', 'dall-e-2', { n: 2 }, {}, 40_000_000],
    ['of a legacy model, smaller', 'dall-e-2', { size: '512x512' }, {}, 18_000_000],
    [
      'as the reply names them',
      'gpt-image-1',
      { size: 'auto' },
      { size: '1024x1536', quality: 'high' },
      250_000_000,
    ],
    ['of a kind without a price', 'gpt-image-1', {}, { size: '1024x1536' }, 'no_rate'],
  ]
  test.each(rows)('%s', async (_, model, asked, reported, cost) => {
    const { n = 1 } = asked as { n?: number }
    await using stage = await spendStage(
      'chat',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const data = Array.from({ length: n }, () => ({ b64_json: png }))
        response.end(JSON.stringify({ created: 1, data, ...reported }))
      },
      { account: { models: [model], speaks: ['images'] }, prices: { [model]: { units } } },
    )
    const body = { model, prompt: 'A cat', response_format: 'b64_json', ...asked }
    const { response_format: _format, ...newer } = body
    const call = { path: '/v1/images/generations', body: model === 'dall-e-2' ? body : newer }
    const response = await stage.ask(call)
    expect(response.status).toBe(200)
    await response.text()
    expect(await stage.settled(1)).toMatchObject([
      { usage: 'reported', tokens: { images: n }, cost },
    ])
  })
})
