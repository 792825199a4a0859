import { expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { audioStage, paths, typesIn } from './stage.ts'

const body = { model: 'tts-1', input: 'Grüße 👋', voice: 'alloy' }
const bytes = Buffer.from('ID3 not quite music')

const answerAudio: Answer = (response) =>
  void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(bytes)

/** A gateway before accounts that answer so, the first one first. */
async function stageOf(...answers: readonly Answer[]) {
  const fakes = await Promise.all(answers.map((answer) => startFakeAccount(answer)))
  const accounts = fakes.map(({ url }, index) => ({
    id: 'ab'[index]!,
    priority: index,
    provider: 'openai',
    apiKey: 'canary-key-of-the-account',
    baseUrl: `${url}/v1`,
  }))
  const stage = await audioStage({ accounts })
  return {
    ...stage,
    fakes,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]()
      await Promise.all(fakes.map((one) => one[Symbol.asyncDispose]()))
    },
  }
}

test('audio passes with its type, and its characters are counted', async () => {
  await using stage = await stageOf(answerAudio)
  const response = await stage.json(body, paths.speech)
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  expect(response.headers.get('content-type')).toBe('audio/mpeg')
  const [request] = stage.fakes[0]!.requests
  expect(JSON.parse(String(request?.body))).toEqual(body)
  expect(request?.headers.accept).toBe('*/*')
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({
    route: 'audio.speech',
    model_resolved: 'tts-1',
    characters: 7,
    stream_end: 'complete',
    bytes_out: bytes.length,
  })
})

test('an account gets the name that it has for the model, and every other byte as it was', async () => {
  await using account = await startFakeAccount(answerAudio)
  const models = { loud: 'tts-1-hd' }
  await using stage = await audioStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1`, models }],
  })
  const sent = '{ "input":"x",  "model" : "loud", "later": [1e2] }'
  const { url, key } = stage.gateway
  const response = await fetch(url + paths.speech, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: sent,
  })
  expect(response.status).toBe(200)
  expect(String(account.requests[0]?.body)).toBe(sent.replace('loud', 'tts-1-hd'))
})

test('a client that does not read holds the account back', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 1)
  const written: number[] = []
  await using stage = await stageOf(async (response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' })
    const index = written.push(0) - 1
    for (; written[index]! < 64; written[index]!++) {
      if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve))
    }
    response.end()
  })
  const response = await stage.json(body, paths.speech)
  await until(() => written[0]! > 0)
  const read = await (await stage.json(body, paths.speech)).arrayBuffer()
  expect(read.byteLength).toBe(64 * chunk.length)
  expect(written[0]).toBeLessThan(40)
  expect((await response.arrayBuffer()).byteLength).toBe(64 * chunk.length)
})

test.each(['{"', '[{\u0000', 'ed', '<\u0001', '{"\u0000\u0001'.repeat(40)])(
  'samples that begin as a text does pass: %j',
  async (start) => {
    const samples = Buffer.from(start, 'latin1')
    await using stage = await stageOf(
      (response) => void response.writeHead(200, { 'content-type': 'audio/pcm' }).end(samples),
    )
    const response = await stage.json(body, paths.speech)
    expect(Buffer.from(await response.arrayBuffer()).equals(samples)).toBe(true)
  },
)

test('audio that is cut off is no success', async () => {
  await using stage = await stageOf((response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '100' })
    response.write(bytes)
    setTimeout(() => response.destroy(), 50)
  })
  const response = await stage.json(body, paths.speech)
  await expect(response.arrayBuffer()).rejects.toThrow()
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'broken', error_type: 'upstream_unreachable' })
})

const unusable: readonly (readonly [string, Answer])[] = [
  ['JSON', answerJson({ error: { message: 'no canary-key-of-the-account' } })],
  [
    'a page',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  ],
  ...['application/octet-stream', 'audio/mpeg', undefined].map(
    (type): readonly [string, Answer] => [
      `an error as ${type}`,
      (response) => {
        response.writeHead(200, type === undefined ? {} : { 'content-type': type })
        response.write('\n{ "err')
        setTimeout(() => response.end('or": {"message": "no canary-key-of-the-account"}}'), 20)
      },
    ],
  ),
  ...['[{"detail":"x"}]', '<!DOCTYPE html><p>', 'event: error\ndata: {}\n\n'].map(
    (text): readonly [string, Answer] => [
      `as audio the text ${text}`,
      (response) => void response.writeHead(200, { 'content-type': 'audio/wav' }).end(text),
    ],
  ),
  ['nothing', (response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end()],
  ['a server error', answerJson({ error: { message: 'x' } }, { status: 500 })],
  [
    'a cut before the first byte',
    (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '100' })
      response.flushHeaders()
      setTimeout(() => response.destroy(), 20)
    },
  ],
]

test.each(dailyRows(unusable))(
  'of an account that answers %s, another one takes over',
  async (_, answer) => {
    await using stage = await stageOf(answer, answerAudio)
    const response = await stage.json(body, paths.speech)
    expect([response.status, response.headers.get('x-dragoman-account')]).toEqual([200, 'b'])
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  },
)

test.each(dailyRows(unusable, 1))(
  'without another one, %s is an error without secrets',
  async (_, answer) => {
    await using stage = await stageOf(answer)
    const response = await stage.json(body, paths.speech)
    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(await response.text()).not.toContain('canary')
  },
)

test('a stream of speech passes, and its tokens are known', async () => {
  await using stage = await audioStage()
  const streamed = { ...body, model: 'gpt-4o-mini-tts', stream_format: 'sse' }
  const response = await stage.json(streamed, paths.speech)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const delta = 'speech.audio.delta'
  expect(typesIn(await response.text())).toEqual([delta, delta, 'speech.audio.done'])
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'complete', input_tokens: 2, output_tokens: 8 })
  expect(line).not.toHaveProperty('characters')
})

test('a stream of speech without a usage has its characters counted', async () => {
  await using stage = await audioStage()
  const streamed = { ...body, model: 'sandbox/nousage', stream_format: 'sse' }
  await (await stage.json(streamed, paths.speech)).text()
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'complete', characters: 7 })
})

test.each(['cut=1', 'half=1', 'eof=1', 'malformed=2', 'error=1'])(
  'a stream of speech that breaks (%s) ends with an error',
  async (steering) => {
    await using stage = await audioStage()
    const streamed = { ...body, model: `sandbox/${steering}`, stream_format: 'sse' }
    const text = await (await stage.json(streamed, paths.speech)).text()
    expect(text).toContain('event: error')
    expect(text).not.toContain('speech.audio.done')
    const [line] = await stage.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'broken' })
  },
)

test.each<[string, object, string, number?]>([
  ['no model', { model: undefined }, 'model'],
  ['a blank model', { model: ' ' }, 'model'],
  ['no input', { input: undefined }, 'input'],
  ['an input that is no text', { input: ['x'] }, 'input'],
  ['an input that no account takes', { input: 'x'.repeat(1_000_001) }, 'input'],
  ['a voice without an id', { voice: {} }, 'voice'],
  ['an unknown form of stream', { stream_format: 'frames' }, 'stream_format'],
  // The account's own limits.
  ['an input above the limit', { input: 'x'.repeat(4_097) }, 'input'],
  ['an unknown format', { response_format: 'midi' }, 'response_format'],
  ['a speed above the limit', { speed: 5 }, 'speed'],
])('%s is refused with the field', async (_, fields, param, status = 400) => {
  await using stage = await audioStage()
  const response = await stage.json({ ...body, ...fields }, paths.speech)
  const { error } = (await response.json()) as { error: { param?: string } }
  expect([response.status, error.param]).toEqual([status, param])
})

test('a key has no speech of a model that it may not use', async () => {
  await using account = await startFakeAccount(answerAudio)
  await using stage = await audioStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
    keys: [{ id: 'test', secret: 'test-secret', models: ['gpt-*'] }],
  })
  expect((await stage.json(body, paths.speech)).status).toBe(404)
  expect(account.requests).toEqual([])
})

test('an account says whether it speaks: others are not asked', async () => {
  await using account = await startFakeAccount(answerAudio)
  await using stage = await audioStage({
    accounts: [{ provider: 'openai-compatible', baseUrl: `${account.url}/v1` }],
  })
  const response = await stage.json(body, paths.speech)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('`audio` to its `speaks`')
  expect(account.requests).toEqual([])
})
