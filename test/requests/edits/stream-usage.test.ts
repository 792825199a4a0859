import { expect, test } from 'vitest'

import { type Answer, answerStream } from '../../../src/testing/fake-account.ts'
import { startService } from '../service.ts'

const chunk = (rest: string) => `data: {"id":"chatcmpl-1","model":"m",${rest}}\n\n`
const text = chunk('"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]')
const more = chunk(
  '"usage":null,"choices":[{"index":0,"delta":{"content":"!"},"finish_reason":null}]',
)
const last = chunk('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null')
const usage = chunk('"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}')
const done = 'data: [DONE]\n\n'
const sent = text + more + last + usage + done
const shown = text + more + last + done

/** A gateway with one account of the Chat Completions API. */
async function chatOnly(answer: Answer, asksForUsage?: boolean) {
  const service = await startService({}, answer)
  service.gateway.reload({
    accounts: [
      {
        id: 'a',
        provider: 'openai-compatible',
        baseUrl: `${service.upstream.url}/v1`,
        speaks: ['chat'],
        models: ['*'],
        ...(asksForUsage !== undefined && { asksForUsage }),
      },
    ],
  })
  return service
}

const body = (rest: string) =>
  `{"model":"m","messages":[{"role":"user","content":"}{"}],"seed":1e2,"stream":true${rest} }`
const wished = ',"stream_options":{"include_usage":true}'

test.each([
  ['', wished],
  [',"stream_options":null', wished],
  [',"stream_options":{}', wished],
  [',"stream_options": { }', ',"stream_options": { "include_usage":true}'],
  [',"stream_options":{"include_usage":false}', wished],
  [',"stream_options":{"include_usage":null}', wished],
  [
    ',"stream_options":{"include_obfuscation":false}',
    ',"stream_options":{"include_obfuscation":false,"include_usage":true}',
  ],
])(
  'a stream with `%s` is metered all the same, and its client gets no more than it asked for',
  async (given, received) => {
    await using service = await chatOnly(answerStream([sent]))
    const response = await service.post('chat', body(given))
    expect(await response.text()).toBe(shown)
    const inserted = given === '' ? body(' ').replace(/ {2}}$/, ` ${received}}`) : body(received)
    expect(service.received().body.toString()).toBe(inserted)
    expect((await service.gateway.logged(1))[0]).toMatchObject({
      stream_end: 'complete',
      input_tokens: 7,
      output_tokens: 3,
    })
  },
)

test('a client that asks for the usage gets it, byte for byte', async () => {
  await using service = await chatOnly(answerStream([sent]))
  const response = await service.post('chat', body(wished))
  expect(await response.text()).toBe(sent)
  expect(service.received().body.toString()).toBe(body(wished))
})

test('the chunk is taken out wherever the account cuts its stream', async () => {
  let at = 0
  await using service = await chatOnly((response, request) =>
    answerStream([sent.slice(0, at), sent.slice(at)])(response, request),
  )
  for (at = sent.indexOf(usage) - 3; at < sent.length; at++) {
    const response = await service.post('chat', body(''))
    expect(await response.text()).toBe(shown)
  }
})

test.each([
  ['in the chunk of its last choice', last.replace('"usage":null', '"usage":{"prompt_tokens":7}')],
  ['in a chunk without choices that has none', last + chunk('"choices":[],"usage":null')],
])('usage %s passes as it is', async (_where, end) => {
  await using service = await chatOnly(answerStream([text + end + done]))
  const response = await service.post('chat', body(''))
  expect(await response.text()).toBe(text + end + done)
})

test('a stream that is cut behind its usage is no success', async () => {
  await using service = await chatOnly(answerStream([text + usage]))
  const response = await service.post('chat', body(''))
  expect(await response.text()).toMatch(/^data: .*"error"/m)
})

test('an account that refuses the field is not asked, by a native or a translated call', async () => {
  await using service = await chatOnly(answerStream([text + last + done]), false)
  await (await service.post('chat', body(''))).text()
  expect(service.received().body.toString()).toBe(body(''))
  await (await service.ask('responses', { stream: true })).text()
  expect(JSON.parse(service.received().body.toString())).not.toHaveProperty('stream_options')
})

test('a request for JSON is left alone', async () => {
  await using service = await chatOnly(answerStream([]))
  await service.post('chat', body('').replace('true', 'false'))
  expect(service.received().body.toString()).toBe(body('').replace('true', 'false'))
})

test('options that are too long to look into are refused', async () => {
  await using service = await chatOnly(answerStream([sent]))
  const response = await service.post('chat', body(`,"stream_options":{${' '.repeat(1100)}}`))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param: 'stream_options' } })
})

test('an account that sends chunks of usage without end sends them to its client', async () => {
  await using service = await chatOnly(answerStream([text, ...Array(20).fill(usage), last, done]))
  const response = await service.post('chat', body(''))
  expect(await response.text()).toBe(text + usage.repeat(4) + last + done)
})

test('the id of a reply has a bounded place in the log', async () => {
  const id = 'c'.repeat(100_000)
  await using service = await chatOnly(answerStream([sent.replaceAll('chatcmpl-1', id)]))
  expect(await (await service.post('chat', body(''))).text()).toContain(id)
  const [line] = await service.gateway.logged(1)
  expect(line?.['response_id']).toHaveLength(512 + '...'.length)
})
