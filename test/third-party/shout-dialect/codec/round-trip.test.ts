import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  type AssistantPart,
  Collector,
  eventsOf,
  type FrameSink,
  type GenerateRequest,
  type GenerateResult,
  type JsonObject,
  parseFrame,
  type RecordLoss,
  type ReplyContext,
  splitFrames,
  sse,
  type ToolCallPart,
  type Turn,
} from '../../../../src/dialect-kit/index.ts'
import { shoutCodec } from './index.ts'

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const text = word.map((text) => ({ type: 'text', text }) as const)
const id = fc.stringMatching(/^[a-z]{1,8}$/)
const name = fc.stringMatching(/^[a-z]{1,8}$/)

const call: fc.Arbitrary<ToolCallPart> = fc
  .record({ id, name, input: fc.oneof(fc.dictionary(name, word), fc.constant('not an object')) })
  .map(({ id, name, input }) => ({
    type: 'tool_call',
    kind: 'function',
    id,
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
  }))

/** Some text, some calls, or both. */
const answer: fc.Arbitrary<AssistantPart[]> = fc
  .tuple(fc.array(text, { maxLength: 1 }), fc.array(call, { maxLength: 3 }))
  .map(([said, calls]) => [...said, ...calls])
  .filter(({ length }) => length > 0)

const turn: fc.Arbitrary<Turn> = fc.oneof(
  text.map((part): Turn => ({ role: 'system', content: [part] })),
  text.map((part): Turn => ({ role: 'user', content: [part] })),
  answer.map((content): Turn => ({ role: 'assistant', content })),
  fc
    .record({ callId: id, part: text, failed: fc.boolean() })
    .map(({ callId, part, failed }): Turn => {
      return { role: 'tool', results: [{ callId, content: [part], ...(failed && { failed }) }] }
    }),
)

const request = fc.record(
  {
    stream: fc.boolean(),
    turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
    tools: fc.uniqueArray(
      fc.record({
        kind: fc.constant('function' as const),
        name,
        description: word,
        parameters: fc.constant({ type: 'object' }),
      }),
      { selector: (tool) => tool.name, maxLength: 3 },
    ),
    sampling: fc.record({ temperature: fc.constantFrom(0, 0.5, 1) }, { requiredKeys: [] }),
    maxOutputTokens: fc.integer({ min: 1, max: 1000 }),
  },
  { requiredKeys: ['stream', 'turns', 'tools', 'sampling'] },
)

const noLoss: RecordLoss = (field) => {
  throw new Error(`${field} is lost.`)
}

test('a request reaches the next gateway as it was meant', () => {
  fc.assert(
    fc.property(request, (asked) => {
      const neutral: GenerateRequest = { ...asked, fields: {}, extras: [] }
      const { path, body } = shoutCodec.encodeRequest(neutral, 'stentor', noLoss)
      const { stream } = asked
      const read = shoutCodec.decodeRequest({ body, stream, query: '', headers: {} })
      expect(path).toBe('/shout/v1/say')
      expect(body).toMatchObject({ voice: 'stentor', ...(stream && { loud: true }) })
      expect(read).toMatchObject(asked)
      expect(read.extras).toEqual([])
    }),
  )
})

const asked: GenerateRequest = {
  stream: false,
  turns: [],
  tools: [],
  sampling: {},
  fields: {},
  extras: [],
}

const context: ReplyContext = {
  rawRequest: { body: {}, stream: false, query: '', headers: {} },
  request: asked,
  requestId: 'req_1',
  model: 'stentor',
  now: 0,
  framing: sse,
  newId: (prefix) => `${prefix}1`,
  drop: noLoss,
}

const result: fc.Arbitrary<GenerateResult> = fc
  .record({
    content: answer,
    cut: fc.constantFrom(undefined, 'length' as const, 'filtered' as const, 'refused' as const),
    usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }, { requiredKeys: [] }),
  })
  .map(({ content, cut, usage }) => {
    const hasCalls = content.some(({ type }) => type === 'tool_call')
    const reason = cut ?? (hasCalls ? 'tool_calls' : 'stop')
    return { id: 'shout_1', model: 'stentor', choices: [{ content, stop: { reason } }], usage }
  })

test('a reply says the same once it was written and read', () => {
  fc.assert(
    fc.property(result, (said) => {
      const { body } = shoutCodec.encodeResult(said, context)
      expect(shoutCodec.decodeResult(body, asked)).toMatchObject(said)
    }),
  )
})

test('a stream says the same as the whole reply', () => {
  fc.assert(
    fc.property(result, (said) => {
      const { items } = shoutCodec.encodeResult(said, context)
      const { frames, encoder } = written(said)
      expect(read(frames)).toMatchObject(said)
      expect(encoder.items).toEqual(items)
      expect(encoder.id).toBe('shout_1')
    }),
  )
})

/** The frames of a reply, in the way that the gateway collects them. */
function written(said: GenerateResult) {
  let frames = ''
  const sink: FrameSink = {
    count: 0,
    write: (more) => void (frames += more),
    writeText: ({ before, after }, text) => void (frames += before + JSON.stringify(text) + after),
  }
  const encoder = shoutCodec.encodeEvents(context, sink)
  for (const event of eventsOf(said)) if (event.type !== 'error') encoder.encode(event)
  return { frames, encoder }
}

/** Reads such frames as those of an account. */
function read(frames: string): GenerateResult | undefined {
  const collector = new Collector()
  const decoder = shoutCodec.decodeEvents(asked, (event) => collector.collect(event))
  for (const frame of splitFrames(Buffer.from(frames))) {
    const { name, data = '' } = parseFrame(frame)
    decoder.decode(JSON.parse(data) as JsonObject, name)
  }
  return collector.result
}
