import { describe, expect, test } from 'vitest'

import { type Answer, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'
import {
  basePath,
  canariesIn,
  everything,
  headersOf,
  placeOf,
  secret,
  wholeOf,
} from './canaries.ts'

const providers = { responses: 'openai', chat: 'openai', messages: 'anthropic', generate: 'gemini' }

/** A gateway with one account of a dialect, whose server says all that it knows. */
async function startScene(
  account: DialectName,
  answer: (url: string) => Answer,
  errors?: 'upstream' | 'native',
) {
  await using starting = new AsyncDisposableStack()
  let url = ''
  const upstream = starting.use(
    await startFakeAccount((response, request) => answer(url)(response, request)),
  )
  url = placeOf(upstream)
  const gateway = starting.use(
    await createTestGateway({
      ...(errors && { errors }),
      accounts: [
        {
          id: 'a',
          provider: providers[account],
          baseUrl:
            url +
            basePath.replace('/v1', account === 'chat' || account === 'responses' ? '/v1' : ''),
          apiKey: secret,
          speaks: [account],
          models: ['m'],
        },
      ],
    }),
  )
  const started = starting.move()
  return {
    gateway,
    upstream,
    url: () => url,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

type Scene = Awaited<ReturnType<typeof startScene>>

function ask({ gateway }: Scene, client: DialectName, stream: boolean): Promise<Response> {
  const { path, credential, request } = dialects[client]
  const streamed = path.replace(':generateContent', ':streamGenerateContent?alt=sse')
  const body = client === 'generate' || !stream ? request : { ...request, stream }
  return fetch(gateway.url + (stream ? streamed : path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(gateway.key) },
    body: JSON.stringify(body),
  })
}

/** Asks in each client's dialect, and looks everywhere. */
async function expectSilence(
  scene: Scene,
  clients: readonly DialectName[],
  streams = [false, true],
) {
  for (const client of clients) {
    for (const stream of streams) {
      const whole = await wholeOf(await ask(scene, client, stream))
      expect([client, stream, canariesIn(whole, scene.url()), whole]).toEqual([
        client,
        stream,
        [],
        whole,
      ])
    }
  }
  const { accessLog, log } = scene.gateway
  await scene.gateway.logged(1)
  // Logs are the operator's: they may name a host, and never a key.
  expect(JSON.stringify([accessLog, log])).not.toContain(secret)
  const ready = await fetch(`${scene.gateway.url}/readyz?verbose`)
  expect(canariesIn(await wholeOf(ready), scene.url())).toEqual([])
}

const spread = (text: string) => ({
  message: text,
  code: text,
  param: text,
  type: text,
  status: text,
  details: [{ text, [text]: text }],
})

describe.each(dialectNames)('an account that speaks %s', (account) => {
  test.each([400, 401, 402, 403, 404, 409, 429, 500])('and refuses with %i', async (status) => {
    for (const errors of [undefined, 'upstream', 'native'] as const) {
      await using scene = await startScene(
        account,
        (url) => (response) => {
          const type = `application/json; x=${encodeURIComponent(url)}`
          response.writeHead(status, { 'content-type': type, ...headersOf(url) })
          response.end(JSON.stringify({ error: spread(everything(url)), [everything(url)]: 1 }))
        },
        errors,
      )
      await expectSilence(scene, dialectNames)
    }
  })

  test.each([
    ['text/plain', (text: string) => text],
    ['text/html', (text: string) => `<h1>${text}</h1>`],
    ['application/json', (text: string) => JSON.stringify([{ error: spread(text) }])],
    ['application/json', (text: string) => JSON.stringify(text)],
    ['application/json', (text: string) => `{"error":{"message":${JSON.stringify(text)}`],
  ])('and refuses with a body of %s', async (type, write) => {
    for (const errors of [undefined, 'upstream', 'native'] as const) {
      await using scene = await startScene(
        account,
        (url) => (response) => {
          response.writeHead(400, { 'content-type': type, ...headersOf(url) })
          response.end(write(everything(url)))
        },
        errors,
      )
      await expectSilence(scene, dialectNames)
    }
  })

  test('and sends an error with a status of success', async () => {
    await using scene = await startScene(account, (url) => (response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headersOf(url) })
      response.end(JSON.stringify({ error: spread(everything(url)) }))
    })
    await expectSilence(scene, dialectNames, [false])
  })

  test('and answers as it should, with headers that disclose it', async () => {
    await using scene = await startScene(account, (url) => (response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headersOf(url) })
      response.end(JSON.stringify(dialects[account].reply))
    })
    await expectSilence(scene, dialectNames, [false])
  })

  test('and reports why it failed, whole', async () => {
    await using scene = await startScene(account, (url) => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(failed(account, everything(url))))
    })
    await expectSilence(scene, dialectNames, [false])
  })

  test('and cuts an answer off keeps what the model says about addresses', async () => {
    await using scene = await startScene(account, (url) => (response, { body }) => {
      const streamed = body.includes('"stream":true')
      response.writeHead(200, {
        'content-type': streamed ? 'text/event-stream' : 'application/json',
      })
      response.end(streamed ? cutFrames[account](url) : JSON.stringify(cut(account, url)))
    })
    const whole = await ask(scene, account, false)
    expect(await whole.text()).toBe(JSON.stringify(cut(account, scene.url())))
    for (const client of dialectNames) {
      const reply = await (await ask(scene, client, false)).text()
      expect([client, reply.includes(scene.url())]).toEqual([client, true])
    }
    if (account === 'generate') return
    const stream = await ask(scene, account, true)
    expect(await stream.text()).toBe(cutFrames[account](scene.url()))
  })

  test.each([0, 1, 7, 64])(
    'and reports why it failed in a stream, in pieces of %i',
    async (size) => {
      for (const frames of [failedFrames, erringFrames, lateFrames]) {
        await using scene = await startScene(account, (url) => (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream', ...headersOf(url) })
          const wire = Buffer.from(frames[account](everything(url)))
          for (let at = 0; at < wire.length; at += size || wire.length) {
            response.write(wire.subarray(at, at + (size || wire.length)))
          }
          response.end()
        })
        await expectSilence(scene, dialectNames, [true])
      }
    },
  )

  test('and answers as it should is passed on byte for byte', async () => {
    const reply = `${JSON.stringify(dialects[account].reply).slice(0, -1)} , "big":12345678901234567890, "n":1.50e3,"u":"http:\\/\\/example.com"}`
    await using scene = await startScene(account, () => (response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'openai-processing-ms': '60000',
      })
      response.end(reply)
    })
    const response = await ask(scene, account, false)
    expect(response.headers.get('openai-processing-ms')).toBe('60000')
    expect(await response.text()).toBe(reply)
  })

  test('and answers with its own key in a whole reply keeps it', async () => {
    await using scene = await startScene(account, () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const debug = { headers: { authorization: `Bearer ${secret}` } }
      response.end(JSON.stringify({ ...dialects[account].reply, metadata: debug, debug }))
    })
    for (const client of dialectNames) {
      const response = await ask(scene, client, false)
      expect(response.status).toBe(200)
      expect(await wholeOf(response)).not.toContain(secret)
    }
  })
})

test('a response that says in words why it is not whole discloses nothing', async () => {
  const incomplete = (url: string) => ({
    ...cut('responses', 'Hi'),
    incomplete_details: { reason: everything(url) },
  })
  await using scene = await startScene('responses', (url) => (response, { body }) => {
    const streamed = body.includes('"stream":true')
    response.writeHead(200, {
      'content-type': streamed ? 'text/event-stream' : 'application/json',
    })
    const last = event('response.incomplete', { response: incomplete(url), sequence_number: 4 })
    response.end(streamed ? beginnings.responses + last : JSON.stringify(incomplete(url)))
  })
  await expectSilence(scene, dialectNames)
})

test.each(['failed', 'cancelled'])(
  'a response with status %s that explains it in a member of its own discloses nothing',
  async (status) => {
    await using scene = await startScene('responses', (url) => (response) => {
      const last_error = { message: everything(url) }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...dialects.responses.reply, status, last_error }))
    })
    await expectSilence(scene, dialectNames, [false])
  },
)

/** A result that is no success, in the account's own words. */
function failed(account: DialectName, text: string): object {
  const { reply } = dialects[account]
  switch (account) {
    case 'responses':
      return {
        ...reply,
        status: 'failed',
        error: { code: 'x', message: text },
        incomplete_details: { reason: text },
      }
    case 'chat':
      return {
        ...reply,
        choices: [
          {
            index: 0,
            finish_reason: 'content_filter',
            message: { role: 'assistant', content: null, refusal: text },
            content_filter_results: { error: { message: text } },
          },
        ],
      }
    case 'messages':
      return {
        ...reply,
        content: [],
        stop_reason: 'refusal',
        stop_details: { type: 'refusal', category: null, explanation: text },
      }
    case 'generate':
      return { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: text } }
  }
}

/** An answer that is as long as it may be. */
function cut(account: DialectName, text: string): object {
  const { reply } = dialects[account]
  const item = {
    id: 'msg',
    type: 'message',
    role: 'assistant',
    status: 'incomplete',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
  switch (account) {
    case 'responses':
      return {
        ...reply,
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [item],
      }
    case 'chat': {
      const message = { role: 'assistant', content: text }
      return { ...reply, choices: [{ index: 0, finish_reason: 'length', message }] }
    }
    case 'messages':
      return { ...reply, content: [{ type: 'text', text }], stop_reason: 'max_tokens' }
    case 'generate': {
      const content = { role: 'model', parts: [{ text }] }
      return { candidates: [{ index: 0, finishReason: 'MAX_TOKENS', content }] }
    }
  }
}

type Frames = Record<DialectName, (text: string) => string>

const event = (name: string, json: object) =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...json })}\n\n`
const data = (json: object) => `data: ${JSON.stringify(json)}\n\n`
const chunk = (choice: object) =>
  data({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, ...choice }],
  })

const beginnings = {
  responses:
    event('response.created', {
      response: { ...dialects.responses.reply, status: 'in_progress' },
      sequence_number: 0,
    }) +
    event('response.output_item.added', {
      output_index: 0,
      item: { id: 'msg', type: 'message', role: 'assistant', status: 'in_progress', content: [] },
      sequence_number: 1,
    }) +
    event('response.content_part.added', {
      item_id: 'msg',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
      sequence_number: 2,
    }) +
    event('response.output_text.delta', {
      item_id: 'msg',
      output_index: 0,
      content_index: 0,
      delta: 'Hi',
      sequence_number: 3,
    }),
  chat: chunk({ delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }),
  messages:
    event('message_start', {
      message: { ...dialects.messages.reply, content: [], stop_reason: null },
    }) +
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
  generate: data({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, index: 0 }],
  }),
}

const endings: Frames = {
  responses: (text) =>
    event('response.failed', {
      response: {
        ...dialects.responses.reply,
        status: 'failed',
        error: { code: 'x', message: text },
      },
      sequence_number: 4,
    }),
  chat: (text) =>
    chunk({ delta: {}, finish_reason: 'content_filter', content_filter_results: { error: text } }) +
    'data: [DONE]\n\n',
  messages: (text) =>
    event('message_delta', {
      delta: { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: text } },
      usage: { output_tokens: 1 },
    }) + event('message_stop', {}),
  generate: (text) => data({ promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: text } }),
}

/** An answer that is as long as it may be, in a stream. */
const cutFrames: Frames = {
  responses: (text) =>
    beginnings.responses +
    event('response.incomplete', { response: cut('responses', text), sequence_number: 4 }),
  chat: (text) =>
    chunk({ delta: { content: text }, finish_reason: null }) +
    chunk({ delta: { content: text }, finish_reason: 'length' }) +
    'data: [DONE]\n\n',
  messages: (text) =>
    beginnings.messages +
    event('message_delta', {
      delta: { stop_reason: 'max_tokens', stop_sequence: text },
      usage: { output_tokens: 1 },
    }) +
    event('message_stop', {}),
  generate: (text) => data(cut('generate', text)),
}

/** A failure at once. */
const failedFrames: Frames = endings

/** A failure after output. */
const lateFrames: Frames = {
  responses: (text) => beginnings.responses + endings.responses(text),
  chat: (text) => beginnings.chat + endings.chat(text),
  messages: (text) => beginnings.messages + endings.messages(text),
  generate: (text) =>
    beginnings.generate +
    data({
      candidates: [{ index: 0, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: text }],
    }),
}

/** An error event after output. */
const erringFrames: Frames = {
  responses: (text) =>
    beginnings.responses + event('error', { code: text, message: text, param: text }),
  chat: (text) => beginnings.chat + data({ error: spread(text) }),
  messages: (text) =>
    beginnings.messages + event('error', { error: { type: 'api_error', message: text } }),
  generate: (text) =>
    beginnings.generate + data({ error: { code: 500, message: text, status: text } }),
}
