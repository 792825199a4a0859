import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { RawRequest, ReplyContext } from '../../src/contract/codec.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import { Collector } from '../../src/generate/collect.ts'
import type { AssistantPart } from '../../src/generate/content.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import type { GenerateRequest } from '../../src/generate/request.ts'
import type { GenerateResult } from '../../src/generate/result.ts'
import { sse } from '../../src/kit/framing/sse.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { anyReply, eventsInPieces } from './any-reply.ts'
import { anyRequest } from './any-request.ts'
import { framesTo } from './frame-sink.ts'
import { codecs, type Name, names } from './samples/index.ts'

/** Models that accept different settings. */
const models: Readonly<Record<Name, readonly string[]>> = {
  chat: ['m', 'o3', 'gpt-5.1'],
  generate: ['gemini-3-pro', 'gemini-2.5-pro', 'gemini-2.5-flash-lite', 'models/gemini-1.5-flash'],
  messages: ['m', 'claude-3-haiku-20240307', 'claude-sonnet-4-5', 'claude-opus-4-8'],
  responses: ['m', 'gpt-5'],
}

const clientBodies: Readonly<Record<Name, JsonObject>> = {
  chat: {
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    n: 2,
    stream: true,
    stream_options: { include_usage: true },
  },
  generate: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  messages: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: 'm', input: 'hi' },
}

/** The request to an account; `undefined` where the codec refuses to write it. */
function encoded(name: Name, request: GenerateRequest, model: string) {
  try {
    return codecs[name].encodeRequest(request, model, () => {})
  } catch (error) {
    expect(GatewayError.isInstance(error) && error.status).toBe(400)
    return undefined
  }
}

/** What the provider of Messages refuses and the sandbox does not look at. */
function keepsPromises(body: JsonObject): void {
  const { thinking, messages } = body as {
    thinking?: { type: string }
    messages: { role: string; content: { type: string; text?: string }[] }[]
  }
  const roles = messages.map(({ role }) => role)
  expect(roles[0]).toBe('user')
  for (const [position, role] of roles.entries()) expect(role).not.toBe(roles[position - 1])
  const blocks = messages.flatMap(({ content }) => content)
  for (const { type, text = '' } of blocks) {
    if (type === 'text') expect(text.trim()).not.toBe('')
  }
  const uses = blocks.filter(({ type }) => type === 'tool_use')
  if (uses.length > 0) expect(body.tools).toBeDefined()
  if (thinking?.type === 'enabled' || thinking?.type === 'adaptive') {
    for (const setting of ['temperature', 'top_p', 'top_k'])
      expect(body).not.toHaveProperty(setting)
    expect(roles.at(-1)).toBe('user')
    expect(['any', 'tool']).not.toContain((body.tool_choice as JsonObject | undefined)?.type)
  }
  if (roles.at(-1) === 'assistant') {
    expect(messages.at(-1)!.content.at(-1)!.text).not.toMatch(/\s$/)
    expect(body.output_config).toBeUndefined()
  }
}

function rawRequest(name: Name): RawRequest {
  const query = name === 'generate' ? 'alt=sse' : ''
  return { body: clientBodies[name], stream: true, query, headers: {} }
}

function contextOf(name: Name, dropped: string[] = []): ReplyContext {
  let ids = 0
  return {
    rawRequest: rawRequest(name),
    request: codecs[name].decodeRequest(rawRequest(name)),
    requestId: 'req_of_exchange',
    model: 'm',
    now: 1_700_000_000_000,
    framing: sse,
    newId: (prefix) => `${prefix}${String(++ids).padStart(24, '0')}`,
    drop: (field) => void dropped.push(field),
  }
}

/** What a client reads of a whole reply. */
function throughJson(name: Name, result: GenerateResult, dropped: string[]): GenerateResult {
  const { body } = codecs[name].encodeResult(result, contextOf(name, dropped))
  const request = { ...contextOf(name).request, candidates: result.choices.length }
  const read = codecs[name].decodeResult(body, request)
  if ('type' in read) throw new Error(read.message)
  return read
}

/** What a client reads of a stream. */
function throughStream(name: Name, events: readonly GenerateEvent[], candidates: number) {
  let frames = ''
  const encoder = codecs[name].encodeEvents(
    contextOf(name),
    framesTo((more) => (frames += more)),
  )
  for (const event of events) if (event.type !== 'error') encoder.encode(event)
  const collector = new Collector()
  const request = { ...contextOf(name).request, candidates }
  const decoder = codecs[name].decodeEvents(request, (event) => collector.collect(event))
  for (const [, type = '', data = ''] of frames.matchAll(
    /^(?:event: ([^\n]*)\n)?data: ([^\n]*)$/gm,
  )) {
    if (data === '[DONE]') decoder.done?.()
    else decoder.decode(JSON.parse(data) as JsonObject, type)
  }
  decoder.end?.()
  return collector.result
}

/** What matters to somebody who reads a reply. */
function meaningOf(result: GenerateResult | undefined) {
  const choices = result?.choices.map(({ content, stop }) => ({
    reason: stop.reason === 'filtered' ? 'refused' : stop.reason,
    text: textOf(content, ['text', 'refusal']),
    thoughts: textOf(content, ['reasoning']),
    calls: content.flatMap((part) =>
      part.type === 'tool_call' ? [[part.id, part.name, JSON.parse(part.arguments || '{}')]] : [],
    ),
  }))
  const { cacheWriteTokens: _, ...usage } = result?.usage ?? {}
  return { choices, usage }
}

function textOf(content: readonly AssistantPart[], types: readonly string[]): string {
  return content
    .map((part) => (types.includes(part.type) && 'text' in part ? part.text : ''))
    .join('')
}

/** The signatures of thoughts, which clients of these dialects send back. */
function signaturesOf(result: GenerateResult | undefined): unknown {
  return result?.choices.map(({ content }) =>
    content.flatMap((part) =>
      part.type === 'reasoning' && part.signature ? [part.signature.value] : [],
    ),
  )
}

/** What holds of any request and any reply, tried so many times. */
export function describeProperties(runs: number): void {
  describe.each(names)('any request to an account of %s', (name) => {
    let sandbox: Sandbox
    beforeAll(async () => void (sandbox = await startSandbox()))
    afterAll(() => sandbox[Symbol.asyncDispose]())

    async function refusalOf(path: string, query: string | undefined, body: JsonObject) {
      const response = await fetch(`${sandbox.url}${path}${query ? `?${query}` : ''}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          ...(name === 'messages' && { 'x-api-key': 'sandbox-key-a' }),
          ...(name === 'generate' && { 'x-goog-api-key': 'sandbox-key-a' }),
          ...((name === 'chat' || name === 'responses') && {
            authorization: 'Bearer sandbox-key-a',
          }),
        },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      return response.status === 200 ? '' : `${text}\n${JSON.stringify(body)}`
    }

    test('is one that a strict account takes', async () => {
      let taken = 0
      await fc.assert(
        fc.asyncProperty(anyRequest, fc.constantFrom(...models[name]), async (request, model) => {
          const sent = encoded(name, request, model)
          if (!sent) return
          taken++
          expect(await refusalOf(sent.path, sent.query, sent.body)).toBe('')
          if (name === 'messages') keepsPromises(sent.body)
        }),
        { numRuns: runs },
      )
      expect(taken).toBeGreaterThan(runs / 2)
    })

    test('is refused if it is wrong, so that the test above can fail', async () => {
      const request = codecs[name].decodeRequest(rawRequest(name))
      const { path, query, body } = codecs[name].encodeRequest(request, 'm', () => {})
      expect(
        await refusalOf(path, query, { ...body, messages: 7, input: 7, contents: 7 }),
      ).not.toBe('')
    })
  })

  // Accounts of the others read some settings otherwise than clients write them.
  test.each(['chat', 'messages'] as const)(
    'any request to an account of %s stays the same when it is read and written again',
    (name) => {
      fc.assert(
        fc.property(anyRequest, (request) => {
          const once = encoded(name, request, 'another-model')
          if (!once) return
          const read = codecs[name].decodeRequest({
            ...rawRequest(name),
            stream: false,
            body: once.body,
          })
          expect(encoded(name, read, 'another-model')?.body).toEqual(once.body)
        }),
        { numRuns: runs },
      )
    },
  )

  test.each(names)('any reply means the same to a client of %s, streamed or not', (name) => {
    const keepsSignatures = name === 'messages' || name === 'responses'
    fc.assert(
      fc.property(anyReply(name), fc.integer({ min: 1, max: 6 }), (reply, size) => {
        const dropped: string[] = []
        const whole = throughJson(name, reply, dropped)
        const streamed = throughStream(name, eventsInPieces(reply, size), reply.choices.length)
        expect(meaningOf(whole)).toEqual(meaningOf(reply))
        expect(meaningOf(streamed)).toEqual(meaningOf(reply))
        expect(dropped).toEqual([])
        if (!keepsSignatures) return
        expect(signaturesOf(whole)).toEqual(signaturesOf(reply))
        expect(signaturesOf(streamed)).toEqual(signaturesOf(reply))
      }),
      { numRuns: runs },
    )
  })
}
