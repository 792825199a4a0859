import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import type { Answer } from '../../src/testing/fake-account.ts'
import { answerJson, answerStream } from '../../src/testing/fake-account.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { type Service, startService } from '../requests/service.ts'
import { anyCuts, cutAnywhere } from './json-text.ts'

/** The name that the account gives its model, with characters that JSON may escape. */
const own = 'acme/Modèle-2'
const asked = 'mon "modèle"'

const path = (verb: string) => `/v1beta/models/${encodeURIComponent(asked)}:${verb}`

/** A gateway whose account and alias leave or take the client's name. */
function service(answer: Answer, account: 'account' | 'client', alias?: 'account' | 'client') {
  return startService(
    { accounts: [], aliases: { [asked]: { model: 'm', ...(alias && { replyModel: alias }) } } },
    answer,
  ).then((started) => {
    started.gateway.reload({
      accounts: ['openai', 'anthropic', 'gemini'].map((provider) => ({
        id: provider,
        provider,
        baseUrl: started.upstream.url + (provider === 'openai' ? '/v1' : ''),
        apiKey: 'k',
        models: { m: 'acme/upstream' },
        replyModel: account,
      })),
      aliases: { [asked]: { model: 'm', ...(alias && { replyModel: alias }) } },
    })
    return started
  })
}

function ask(started: Service, dialect: DialectName, stream = false): Promise<Response> {
  if (dialect !== 'generate') return started.ask(dialect, { model: asked, stream })
  const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return started.ask(dialect, {}, { path: path(verb) })
}

/** Replies with the model as raw JSON, beside members that only look like it. */
const replies: Record<DialectName, (model: string) => string> = {
  responses: (model) =>
    `{ "id":"resp_1", "tools": [{"type":"x","model":"${own}"}], "model" : ${model} ,"object":"response","created_at":1.0,"status":"completed","output":[],"metadata":{"model":"${own}"}}`,
  chat: (model) =>
    `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"\\"model\\":\\"${own}\\"","model":"${own}"},"finish_reason":"stop"}],"model":${model},\n"big":12345678901234567890}`,
  messages: (model) =>
    `{"model":${model},"id":"msg_1","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{"model":"${own}"}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
  generate: (model) =>
    `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{"modelVersion":"${own}"}}}]},"finishReason":"STOP"}],"modelVersion":${model}}`,
}

const spelled = [JSON.stringify(own), '"acme\\/Mod\\u00e8le-2"']

test.each(dialectNames)(
  'a native %s reply names the model as the client does, and no other byte differs',
  async (dialect) => {
    for (const model of spelled) {
      const answer = answerJson(replies[dialect](model))
      await using started = await service(answer, 'client')
      const reply = await ask(started, dialect)
      expect(await reply.text()).toBe(replies[dialect](JSON.stringify(asked)))
    }
  },
)

test.each(dialectNames)('a native %s reply that names no model gets none', async (dialect) => {
  const sent = replies[dialect]('null')
  await using started = await service(answerJson(sent), 'client')
  expect(await (await ask(started, dialect)).text()).toBe(sent)
})

const line = (data: string, name?: string) => `${name ? `event: ${name}\n` : ''}data: ${data}\n\n`

const response = (model: string, status: string, rest = '') =>
  `{"id":"resp_1","metadata":{"model":"${own}"},"object":"response","status":"${status}","model":${model},"output":[]${rest}}`

/** Streams with the model as raw JSON, and with texts and arguments that look like it. */
const streams: Record<DialectName, (model: string) => string> = {
  responses: (model) =>
    [
      ['response.created', `"response":${response(model, 'in_progress')}`],
      ['response.in_progress', `"model":"${own}","response":${response(model, 'in_progress')}`],
      ['response.output_text.delta', `"item_id":"m","delta":"\\"model\\":\\"${own}\\""`],
      ['response.output_item.done', `"item":{"type":"message","model":"${own}"}`],
      ['response.completed', `"response":${response(model, 'completed', ',"x":1.00')}`],
    ]
      .map(([type = '', rest]) => line(`{"type":"${type}",${rest}}`, type))
      .join(''),
  chat: (model) =>
    [
      `{"id":"c","model":${model},"choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]}`,
      `{"id":"c","model":${model},"choices":[{"index":0,"delta":{"content":"\\"model\\":"},"finish_reason":null}]}`,
      `{"id":"c","choices":[{"index":0,"delta":{"content":"b","model":"${own}"},"finish_reason":null}],"model": ${model}}`,
      `{"id":"c","model":${model},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
    ]
      .map((data) => line(data))
      .concat('data: [DONE]\n\n')
      .join(''),
  messages: (model) =>
    [
      [
        'message_start',
        `"model":"${own}","message":{"id":"msg_1","model":${model},"content":[],"usage":{"input_tokens":1}}`,
      ],
      ['content_block_start', '"index":0,"content_block":{"type":"text","text":""}'],
      ['content_block_delta', `"index":0,"delta":{"type":"text_delta","text":"\\"model\\":"}`],
      ['message_delta', '"delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}'],
      ['message_stop', `"message":0`],
    ]
      .map(([type = '', rest]) => line(`{"type":"${type}",${rest}}`, type))
      .join(''),
  generate: (model) =>
    [
      `{"modelVersion":${model},"candidates":[{"content":{"parts":[{"text":"\\"modelVersion\\":"}]}}]}`,
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"modelVersion":"${own}"}}}]}}],"modelVersion":${model}}`,
      `{"candidates":[{"finishReason":"STOP"}],"modelVersion":${model}}`,
    ]
      .map((data) => line(data))
      .join(''),
}

test.each(dialectNames)(
  'every frame of a native %s stream names the model as the client does, however it is cut',
  async (dialect) => {
    let pieces: Buffer[] = []
    await using started = await service(
      (reply, request) => answerStream(pieces)(reply, request),
      'client',
    )
    const property = fc.asyncProperty(
      anyCuts,
      fc.constantFrom(...spelled),
      fc.boolean(),
      async (cuts, model, hasReturns) => {
        // Gemini clients get one form of line ends, whatever the account sends.
        const ends = (text: string) =>
          hasReturns && dialect !== 'generate' ? text.replaceAll('\n', '\r\n') : text
        pieces = cutAnywhere(Buffer.from(ends(streams[dialect](model))), cuts)
        const reply = await ask(started, dialect, true)
        expect(await reply.text()).toBe(ends(streams[dialect](JSON.stringify(asked))))
      },
    )
    await fc.assert(property, { numRuns: dailySteps(30) })
  },
)

test('a frame whose JSON spans several data lines is renamed where its model stands', async () => {
  const frames = (model: string) =>
    `data: {"id":"c",\ndata:"model":\ndata: ${model},"choices":[{"index":0,"delta":{"content":"a"},\ndata: "finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
  await using started = await service(answerStream([frames(JSON.stringify(own))]), 'client')
  const reply = await ask(started, 'chat', true)
  expect(await reply.text()).toBe(frames(JSON.stringify(asked)))
})

test('bytes that are no UTF-8 stay as they are beside a renamed model', async () => {
  const frame = (model: string) =>
    Buffer.concat([
      Buffer.from(`data: {"id":"c","model":${model},"choices":[{"index":0,"delta":{"content":"`),
      Buffer.from([0xff, 0x61]),
      Buffer.from('"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'),
    ])
  await using started = await service(answerStream([frame(JSON.stringify(own))]), 'client')
  const reply = await ask(started, 'chat', true)
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(frame(JSON.stringify(asked)))
})

test('a Gemini stream as an array names the model as the client does', async () => {
  await using started = await service(
    answerStream([streams.generate(JSON.stringify(own))]),
    'client',
  )
  const reply = await started.ask('generate', {}, { path: path('streamGenerateContent') })
  const chunks = (await reply.json()) as { modelVersion: string }[]
  expect(chunks.map(({ modelVersion }) => modelVersion)).toEqual([asked, asked, asked])
})

test('a response that breaks off names the model as the client does to its end', async () => {
  const [created = ''] = streams.responses(JSON.stringify(own)).split(/(?<=\n\n)/)
  const delta = line('{"type":"response.output_text.delta","delta":"a"}')
  await using started = await service(answerStream([created, delta]), 'client')
  const text = await (await ask(started, 'responses', true)).text()
  const failed = text.split('\n\n').find((frame) => frame.includes('response.failed'))
  const { response: last } = JSON.parse(failed?.split('data: ')[1] ?? '') as {
    response: { model: string }
  }
  expect(last.model).toBe(asked)
})

test.each(dialectNames)(
  'without the setting a native %s reply keeps the name of the account, in JSON and in streams',
  async (dialect) => {
    for (const [account, alias] of [['account'], ['client', 'account']] as const) {
      await using json = await service(answerJson(replies[dialect]('"x"')), account, alias)
      expect(await (await ask(json, dialect)).text()).toBe(replies[dialect]('"x"'))
      await using stream = await service(answerStream([streams[dialect]('"x"')]), account, alias)
      expect(await (await ask(stream, dialect, true)).text()).toBe(streams[dialect]('"x"'))
    }
  },
)

test.each(dialectNames)('an alias decides for %s clients before its account', async (dialect) => {
  await using started = await service(answerJson(replies[dialect]('"x"')), 'account', 'client')
  expect(await (await ask(started, dialect)).text()).toBe(replies[dialect](JSON.stringify(asked)))
})

test.each(['{"mod\\x":1,"model":"x"', '{"model":"\\x"', '{"model":"x"'])(
  'a malformed frame that names a model fails the stream like any other: %s',
  async (malformed) => {
    const good = line('{"id":"c","choices":[{"index":0,"delta":{"content":"a"}}]}')
    await using started = await service(answerStream([good, line(malformed)]), 'client')
    const text = await (await ask(started, 'chat', true)).text()
    expect(text).toContain('malformed event')
  },
)
