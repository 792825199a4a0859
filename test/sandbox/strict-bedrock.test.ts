import { describe, expect, test } from 'vitest'

import { eventStream } from '../../src/kit/framing/event-stream.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { readAwsMessage } from '../framing/framed.ts'

type Json = Record<string, unknown>

const user = (...content: Json[]) => ({ role: 'user', content })
const assistant = (...content: Json[]) => ({ role: 'assistant', content })
const say = (...messages: Json[]) => ({ messages })
const hi = user({ text: 'hi' })
const use = { toolUse: { toolUseId: 't1', name: 'look', input: {} } }
const result = { toolResult: { toolUseId: 't1', content: [{ text: 'ok' }] } }
const schema = { json: { type: 'object' } }
const toolConfig = { tools: [{ toolSpec: { name: 'look', inputSchema: schema } }] }
const document = (name: string) => ({
  document: { name, format: 'pdf', source: { bytes: 'JVBERi0=' } },
})

/** The answer to a request: its status, the name of its exception, and its body. */
async function ask(body: Json, operation = 'converse', model = 'sandbox%2Fecho') {
  await using sandbox = await startSandbox()
  const response = await fetch(`${sandbox.url}/model/${model}/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-key-a' },
    body: JSON.stringify(body),
  })
  const { status, headers } = response
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status, exception: headers.get('x-amzn-errortype'), headers, bytes }
}

describe('Converse', () => {
  test.each<[string, Json]>([
    ['a tool use with its result', { ...say(hi, assistant(use), user(result)), toolConfig }],
    ['images and documents', say(user({ text: 'Read.' }, document('a (1)'), document('b')))],
    ['cache points', say(user({ text: 'a' }, { cachePoint: { type: 'default', ttl: '1h' } }))],
    [
      'most fields',
      {
        ...say(hi),
        system: [{ text: 'Be brief.' }],
        inferenceConfig: { maxTokens: 9, temperature: 1, topP: 1, stopSequences: ['a'] },
        guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1', trace: 'enabled' },
        additionalModelRequestFields: { top_k: 5 },
        additionalModelResponseFieldPaths: ['/stop_sequence'],
        requestMetadata: { team: 'a' },
        performanceConfig: { latency: 'optimized' },
        serviceTier: { type: 'flex' },
        outputConfig: { effort: 'low' },
      },
    ],
  ])('takes %s', async (_, body) => {
    expect((await ask(body)).status).toBe(200)
  })

  test.each<[string, Json]>([
    ['an empty text', say(user({ text: '' }))],
    ['a blank text', say(user({ text: ' \n' }))],
    ['a message without content', say(user())],
    ['an answer first', say(assistant({ text: 'hi' }))],
    ['roles that do not alternate', say(hi, hi)],
    ['a cache mark inside of a text', say(user({ text: 'a', cachePoint: { type: 'default' } }))],
    ['a dot in the name of a document', say(user({ text: 'a' }, document('a.pdf')))],
    ['two blanks in the name of a document', say(user({ text: 'a' }, document('a  b')))],
    ['documents of one name', say(user({ text: 'a' }, document('a'), document('a')))],
    ['a document without a text', say(user(document('a')))],
    ['an unknown field', { ...say(hi), stream: true }],
    ['an input that is text', say(hi, assistant({ toolUse: { ...use.toolUse, input: '{}' } }))],
    [
      'a result without its use',
      { ...say(hi, assistant({ text: 'a' }), user(result)), toolConfig },
    ],
    ['a use without its result', { ...say(hi, assistant(use), hi), toolConfig }],
    ['a use without tools', say(hi, assistant(use), user(result))],
    ['the choice `none`', { ...say(hi), toolConfig: { ...toolConfig, toolChoice: { none: {} } } }],
    [
      'reasoning of another account',
      say(
        hi,
        assistant(
          { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
          { text: 'a' },
        ),
        hi,
      ),
    ],
    ['a temperature above 1', { ...say(hi), inferenceConfig: { temperature: 1.5 } }],
  ])('refuses %s', async (_, body) => {
    const { status, exception } = await ask(body)
    expect([status, exception]).toEqual([400, 'ValidationException'])
  })

  test('refuses a wrong key', async () => {
    await using sandbox = await startSandbox()
    const response = await fetch(`${sandbox.url}/model/m/converse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer wrong' },
      body: JSON.stringify(say(hi)),
    })
    expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([
      403,
      'UnrecognizedClientException',
    ])
  })

  test('counts tokens', async () => {
    const body = { input: { converse: say(user({ text: 'one two three' })) } }
    const { bytes } = await ask(body, 'count-tokens')
    expect(JSON.parse(bytes.toString())).toEqual({ inputTokens: 3 })
  })
})

/** The messages of a stream, by the official library: what kind each one is, and its payload. */
function messagesIn(bytes: Buffer) {
  const messages = []
  for (let start = 0; start < bytes.length;) {
    const end = eventStream.frameEnd(bytes, start)
    const { headers, data } = readAwsMessage(bytes.subarray(start, end))
    const name = headers[':event-type'] ?? headers[':exception-type']
    messages.push({ name: name?.value, data: JSON.parse(data) as Json })
    start = end
  }
  return messages
}

describe('a stream of Converse', () => {
  const stream = (directives: string) =>
    ask(say(hi), 'converse-stream', encodeURIComponent(`sandbox/${directives}`))

  test('has padded events, and its usage behind the end of the message', async () => {
    const { bytes, headers } = await stream('text=one')
    expect(headers.get('content-type')).toBe('application/vnd.amazon.eventstream')
    const messages = messagesIn(bytes)
    expect(messages.map(({ name }) => name)).toEqual([
      'messageStart',
      'contentBlockDelta',
      'contentBlockStop',
      'messageStop',
      'metadata',
    ])
    expect(messages.every(({ data }) => typeof data['p'] === 'string')).toBe(true)
  })

  test('has an exception, as directed', async () => {
    const thrown = messagesIn((await stream('error=2+code=ThrottlingException')).bytes).at(-1)
    expect(thrown).toMatchObject({
      name: 'throttlingException',
      data: { message: expect.any(String) },
    })
  })

  test('ends without `messageStop`, as directed', async () => {
    const names = messagesIn((await stream('text=one+eof=2')).bytes).map(({ name }) => name)
    expect(names).toEqual(['messageStart', 'contentBlockDelta'])
  })

  test('has a wrong checksum, as directed', async () => {
    const { bytes } = await stream('text=one+malformed=2')
    expect(() => messagesIn(bytes)).toThrow('checksum')
  })

  test('is a page of HTML with 503, as directed', async () => {
    const { status, bytes } = await stream('html=503')
    expect([status, bytes.toString().startsWith('<!doctype html>')]).toEqual([503, true])
  })
})
