import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { converseDialect } from '../../../plugins/dialects/converse/index.ts'
import { withoutLacks } from '../../../src/generate/account-lacks.ts'
import type { FilePart } from '../../../src/generate/content.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import { anyRequest } from '../any-request.ts'
import { asked } from './stream.ts'

const { codec, counting } = converseDialect().generate!
const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const text = (words: string) => ({ type: 'text', text: words }) as const
const says = (...words: string[]): Turn => ({ role: 'user', content: words.map(text) })
const answers = (...words: string[]): Turn => ({ role: 'assistant', content: words.map(text) })
const call = {
  type: 'tool_call',
  kind: 'function',
  id: 'c1',
  name: 'look',
  arguments: '{}',
} as const
const look = { kind: 'function', name: 'look', description: 'Looks.' } as const

/** What an account gets, and the losses. */
function write(request: Partial<GenerateRequest>, model = claude) {
  const lost: string[] = []
  const whole = { ...asked, stream: false, ...request }
  const { path, body } = codec.encodeRequest(
    whole,
    model,
    (...loss) => void lost.push(loss.join(': ')),
  )
  return { path, body, lost }
}

const blocksOf = (turns: readonly Turn[]) => write({ turns }).body['messages'] as JsonObject[]

describe('the path of a request', () => {
  test.each([
    ['amazon.nova-pro-v1:0', '/model/amazon.nova-pro-v1:0/converse'],
    ['us.meta.llama3-1-70b-instruct-v1:0', '/model/us.meta.llama3-1-70b-instruct-v1:0/converse'],
    [
      'arn:aws:bedrock:us-east-1:1:application-inference-profile/a1',
      '/model/arn:aws:bedrock:us-east-1:1:application-inference-profile%2Fa1/converse',
    ],
  ])('has the model %s in one segment', (model, path) => {
    expect(write({}, model).path).toBe(path)
    expect(write({ stream: true }, model).path).toBe(`${path}-stream`)
  })

  test('has no model that leaves its segment', () => {
    expect(() => write({}, '../guardrail')).toThrow(GatewayError)
  })
})

describe('messages', () => {
  test('alternate, begin and end with the user, and have no blank text', () => {
    expect(blocksOf([answers('A'), says('B', ' '), says('C'), says(), answers('D', '')])).toEqual([
      { role: 'user', content: [{ text: 'Continue.' }] },
      { role: 'assistant', content: [{ text: 'A' }] },
      { role: 'user', content: [{ text: 'B' }, { text: 'C' }] },
      { role: 'assistant', content: [{ text: 'D' }] },
      { role: 'user', content: [{ text: 'Continue.' }] },
    ])
  })

  test('have a result of each call, also one without output and one that was not sent', () => {
    const calls: Turn = {
      role: 'assistant',
      content: [call, { ...call, id: 'c2' }, { ...call, id: 'c3' }],
    }
    const results: Turn = {
      role: 'tool',
      results: [
        { callId: 'c2', content: [text('B')], failed: true },
        { callId: 'c1', content: [text(' ')] },
      ],
    }
    const [, , answered] = blocksOf([says('Look.'), calls, results])
    expect(answered?.content).toEqual([
      { toolResult: { toolUseId: 'c1', content: [{ json: {} }] } },
      { toolResult: { toolUseId: 'c2', content: [{ text: 'B' }], status: 'error' } },
      {
        toolResult: {
          toolUseId: 'c3',
          content: [{ text: 'No result of this call was given.' }],
          status: 'error',
        },
      },
    ])
  })

  test('have the reasoning that accounts of Converse have signed, and no other', () => {
    const signed = (dialect: string) =>
      ({
        type: 'reasoning',
        form: 'summary',
        text: 'Hm.',
        signature: { dialect, value: 's' },
      }) as const
    const redacted = { ...signed('converse'), form: 'redacted', text: '' } as const
    const [, answer] = blocksOf([
      says('Hi'),
      {
        role: 'assistant',
        content: [signed('messages'), signed('converse'), redacted, text('Yes.')],
      },
      says('So?'),
    ])
    expect(answer?.content).toEqual([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } },
      { reasoningContent: { redactedContent: 's' } },
      { text: 'Yes.' },
    ])
  })
})

describe('documents', () => {
  const pdf = (more: Partial<FilePart>): FilePart => ({
    type: 'file',
    source: { kind: 'data', base64: 'JVBERi0=' },
    mediaType: 'application/pdf',
    ...more,
  })
  const written = (...files: FilePart[]) => {
    const { body, lost } = write({ turns: [{ role: 'user', content: [text('Read.'), ...files] }] })
    const [{ content }] = body['messages'] as [{ content: JsonObject[] }]
    const documents = content.flatMap(({ document }) => (document ? [document as JsonObject] : []))
    return { documents, lost }
  }

  test('have names without dots, each one of its own', () => {
    const { documents, lost } = written(
      pdf({ name: 'report.final.pdf' }),
      pdf({ name: 'Größe_1  of [2].pdf' }),
      pdf({ name: '../..' }),
      pdf({}),
      pdf({}),
    )
    expect(documents.map(({ name }) => name)).toEqual([
      'report-final',
      'Gr--e-1 of [2]',
      '-----',
      'Document',
      'Document (2)',
    ])
    expect(lost).toEqual([])
  })

  test('have their title as name, which is a loss where the API does not accept it', () => {
    const { documents, lost } = written(
      pdf({ title: 'Annual report', name: 'a.pdf', context: 'Of 2025.' }),
      pdf({ title: 'v1.2' }),
    )
    expect(documents).toMatchObject([
      { name: 'Annual report', context: 'Of 2025.' },
      { name: 'v1-2' },
    ])
    expect(lost).toEqual([expect.stringMatching(/^title: .* "v1-2"$/)])
  })

  test.each([
    ['text/csv; charset=utf-8', 'csv'],
    ['text/plain', 'txt'],
    ['application/json', 'txt'],
    ['text/html', 'html'],
    ['text/markdown', 'md'],
    ['application/msword', 'doc'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
    ['application/vnd.ms-excel', 'xls'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ])('of the type %s have the format %s', (mediaType, format) => {
    expect(written(pdf({ mediaType })).documents).toMatchObject([{ format }])
  })

  test('of other types, and those by URL, are refused', () => {
    expect(() => written(pdf({ mediaType: 'application/zip' }))).toThrow('application/zip')
    const url = { kind: 'url', url: 's3://bucket/of-the-account' } as const
    expect(() => written(pdf({ source: url }))).toThrow('no URLs')
  })

  test('without a text beside them get their names as one', () => {
    expect(blocksOf([{ role: 'user', content: [pdf({ name: 'a.pdf' })] }])[0]?.content).toEqual([
      { document: { name: 'a', format: 'pdf', source: { bytes: 'JVBERi0=' } } },
      { text: 'a' },
    ])
  })
})

describe('tools', () => {
  const past: Turn[] = [
    says('Look.'),
    { role: 'assistant', content: [call] },
    { role: 'tool', results: [{ callId: 'c1', content: [text('A')] }] },
  ]
  const spec = (name: string, more: object = {}) => ({
    toolSpec: { name, ...more, inputSchema: { json: { type: 'object', properties: {} } } },
  })

  test('that must not be called are left out', () => {
    const { body, lost } = write({ tools: [look], toolChoice: { mode: 'none' } })
    expect([body['toolConfig'], lost]).toEqual([undefined, []])
  })

  test('stay where the conversation has calls, and the prompt forbids more', () => {
    const { body, lost } = write({ turns: past, tools: [look], toolChoice: { mode: 'none' } })
    expect(body['toolConfig']).toEqual({ tools: [spec('look', { description: 'Looks.' })] })
    expect(body['system']).toEqual([{ text: 'Answer without calling a tool.' }])
    expect(lost).toEqual([expect.stringMatching(/^tool_choice: /)])
  })

  test('of earlier calls are declared', () => {
    const { body, lost } = write({ turns: past })
    expect(body['toolConfig']).toEqual({ tools: [spec('look')] })
    expect(lost).toEqual([expect.stringMatching(/^tools: /)])
  })

  test.each([
    [{ mode: 'auto' } as const, undefined],
    [{ mode: 'required' } as const, { any: {} }],
    [{ mode: 'required', only: ['look'] } as const, { tool: { name: 'look' } }],
  ])('with the choice %j', (toolChoice, written) => {
    const { body } = write({ tools: [look], toolChoice })
    expect((body['toolConfig'] as JsonObject).toolChoice).toEqual(written)
  })
})

describe('cache points', () => {
  const marked = { ...text('Be brief.'), cache: {} }
  const point = { cachePoint: { type: 'default' } }
  const request: Partial<GenerateRequest> = {
    tools: [{ ...look, cache: { ttl: '1h' } }],
    turns: [
      { role: 'system', content: [marked] },
      { role: 'user', content: [text('Look.'), marked] },
      { role: 'assistant', content: [call] },
      { role: 'tool', results: [{ callId: 'c1', content: [text('A')], cache: {} }] },
      { role: 'user', content: [marked] },
    ],
  }
  const pointsOf = (list: unknown) =>
    (list as JsonObject[]).map((block) => ('cachePoint' in block ? block : Object.keys(block)[0]))

  test('stand behind the blocks that clients mark', () => {
    const { body, lost } = write(request)
    expect(pointsOf(body['system'])).toEqual(['text', point])
    expect((body['messages'] as JsonObject[]).map(({ content }) => pointsOf(content))).toEqual([
      ['text', 'text', point],
      ['toolUse'],
      ['toolResult', point, 'text', point],
    ])
    expect(pointsOf((body['toolConfig'] as JsonObject).tools)).toEqual([
      'toolSpec',
      { cachePoint: { type: 'default', ttl: '1h' } },
    ])
    expect(lost).toEqual([])
  })

  test('stand where models of Amazon take them, and nowhere for others', () => {
    const { body } = write(request, 'amazon.nova-pro-v1:0')
    expect(pointsOf(body['system'])).toEqual(['text', point])
    expect((body['messages'] as JsonObject[]).map(({ content }) => pointsOf(content))).toEqual([
      ['text', 'text', point],
      ['toolUse'],
      ['toolResult', 'text'],
    ])
    expect(pointsOf((body['toolConfig'] as JsonObject).tools)).toEqual(['toolSpec'])
    expect(JSON.stringify(write(request, 'meta.llama3-1-8b-v1:0'))).not.toContain('cachePoint')
  })

  test('are left out for an account that lacks them', () => {
    const whole = { ...asked, ...request }
    const { body } = write(withoutLacks(whole, ['cache_points'], codec.supports))
    expect(JSON.stringify(body)).not.toContain('cachePoint')
    expect(JSON.stringify(write(whole).body)).toContain('cachePoint')
  })

  test('are read from the marks of Messages clients', () => {
    const cache_control = { type: 'ephemeral', ttl: '1h' }
    const body = {
      model: 'm',
      max_tokens: 9,
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control }] }],
    }
    const read = messagesCodec.decodeRequest({ body, stream: false, query: '', headers: {} })
    const { path: _, body: written } = codec.encodeRequest(read, claude, () => {})
    const { system, messages } = written as Record<string, JsonObject[]>
    const hour = { cachePoint: { type: 'default', ttl: '1h' } }
    expect([system, messages?.[0]?.content]).toEqual([
      [{ text: 'Be brief.' }, hour],
      [{ text: 'Hi' }, hour],
    ])
  })
})

describe('cache points', () => {
  test.each([
    ['cache_control', { type: 'ephemeral', ttl: '1h' }, { type: 'default', ttl: '1h' }],
    ['cache_control', { type: 'ephemeral' }, { type: 'default' }],
    ['prompt_cache_breakpoint', { mode: 'auto' }, { type: 'default' }],
  ])('are read from the marks of Chat clients: %s %j', (member, mark, cachePoint) => {
    const part = { type: 'text', text: 'Hi', [member]: mark }
    const url = `data:image/png;base64,${Buffer.from('png').toString('base64')}`
    const picture = { type: 'image_url', image_url: { url }, [member]: mark }
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: [part] },
        { role: 'user', content: [part, picture] },
      ],
      tools: [{ type: 'function', function: { name: 'look' }, [member]: mark }],
    }
    const read = chatCodec.decodeRequest({ body, stream: false, query: '', headers: {} })
    const { body: written } = codec.encodeRequest(read, claude, () => {})
    const { system, messages, toolConfig } = written as Record<string, JsonObject[]>
    expect(system).toEqual([{ text: 'Hi' }, { cachePoint }])
    const content = messages?.[0]?.content as JsonObject[]
    expect(content.map((block) => block.cachePoint ?? Object.keys(block)[0])).toEqual([
      'text',
      cachePoint,
      'image',
      cachePoint,
    ])
    expect(toolConfig).toMatchObject({ tools: [{}, { cachePoint }] })
  })
})

describe('settings', () => {
  const high = { reasoning: { effort: 'high' }, fields: { reasoning_effort: 'effort' } } as const

  test('of reasoning are written in the fields of each family of models', () => {
    expect(write(high).body).toMatchObject({
      inferenceConfig: { maxTokens: 64_000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 10_240 } },
    })
    expect(write(high, 'global.anthropic.claude-opus-4-8').body).toMatchObject({
      additionalModelRequestFields: { thinking: { type: 'adaptive' } },
      outputConfig: { effort: 'high' },
    })
    expect(write(high, 'openai.gpt-oss-120b-1:0').body).toMatchObject({
      additionalModelRequestFields: { reasoning_effort: 'high' },
    })
    const { body, lost } = write(high, 'us.amazon.nova-pro-v1:0')
    expect(body['additionalModelRequestFields']).toBeUndefined()
    expect(lost).toEqual([expect.stringMatching(/^effort: .*no setting of reasoning/)])
  })

  test('that are not set are not sent', () => {
    expect(Object.keys(write({}).body)).toEqual(['messages'])
  })

  test('have their places', () => {
    const { body, lost } = write(
      {
        sampling: { temperature: 0.5, topK: 40 },
        maxOutputTokens: 90,
        stop: ['END', ' '],
        serviceTier: 'flex',
        metadata: { team: 'a', '': 'b', emoji: '😀' },
      },
      'model-1',
    )
    expect(body).toMatchObject({
      inferenceConfig: { maxTokens: 90, temperature: 0.5, stopSequences: ['END'] },
      additionalModelRequestFields: { top_k: 40 },
      additionalModelResponseFieldPaths: ['/stop_sequence'],
      serviceTier: { type: 'flex' },
      requestMetadata: { team: 'a' },
    })
    expect(lost.map((loss) => loss.split(':')[0])).toEqual(['stop', 'metadata'])
  })

  test('of the output are a schema as text', () => {
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false }
    const { body } = write({ output: { kind: 'schema', schema, name: 'my schema' } })
    expect(body['outputConfig']).toEqual({
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { schema: JSON.stringify(schema), name: 'my_schema' } },
      },
    })
  })
})

test('a count has the part of a request that is counted', () => {
  const request = codec.encodeRequest(
    { ...asked, tools: [look], maxOutputTokens: 9 },
    'arn:aws:bedrock:us-east-1:1:inference-profile/a',
    () => {},
  )
  const { path, body } = counting!.encodeCountRequest(request)
  expect(path).toBe('/model/arn:aws:bedrock:us-east-1:1:inference-profile%2Fa/count-tokens')
  expect(Object.keys((body['input'] as JsonObject)['converse'] as JsonObject)).toEqual([
    'messages',
    'toolConfig',
  ])
})

describe('any request', () => {
  let sandbox: Sandbox
  beforeAll(async () => void (sandbox = await startSandbox()))
  afterAll(() => sandbox[Symbol.asyncDispose]())

  async function refusalOf(path: string, body: JsonObject) {
    const response = await fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-key-a' },
      body: JSON.stringify(body),
    })
    const reply = await response.text()
    return response.status === 200 ? '' : `${reply}\n${JSON.stringify(body)}`
  }

  test('is one that a strict account takes', async () => {
    const models = fc.constantFrom('m', claude, 'openai.gpt-oss-20b-1:0', 'amazon.nova-lite-v1:0')
    let taken = 0
    await fc.assert(
      fc.asyncProperty(anyRequest, models, async (request, model) => {
        let sent
        try {
          sent = codec.encodeRequest(request, model, () => {})
        } catch (error) {
          expect(GatewayError.isInstance(error) && error.status).toBe(400)
          return
        }
        taken++
        expect(await refusalOf(sent.path, sent.body)).toBe('')
        const count = counting!.encodeCountRequest(sent)
        expect(await refusalOf(count.path, count.body)).toBe('')
      }),
      { numRuns: 150 },
    )
    expect(taken).toBeGreaterThan(40)
  })
})
