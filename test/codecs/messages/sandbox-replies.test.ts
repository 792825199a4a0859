import { describe, expect, it } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import { collect, decodeStream, framesOf, neutral, readReply, write } from './codec.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}

const request = neutral({ tools: [{ kind: 'function', name: 'weather', parameters: schema }] })

async function ask({ url }: Sandbox, model: string, more: Partial<GenerateRequest>) {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'sandbox-key-a',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(write({ ...request, ...more }, model)),
  })
  expect(response.status).toBe(200)
  return response.text()
}

/** What a reply means, without what is new with each one. */
function meaning({ choices, usage }: GenerateResult) {
  const content = choices[0]!.content.map((part: AssistantPart) => {
    switch (part.type) {
      case 'tool_call':
        return [part.name, JSON.parse(part.arguments) as unknown]
      case 'reasoning':
        return ['thought', part.text, part.signature?.dialect]
      default:
        return [part.type, 'text' in part ? part.text : '']
    }
  })
  return { content, stop: choices[0]!.stop, usage }
}

describe('a reply and its streamed twin', () => {
  it.each<[string, Partial<GenerateRequest>]>([
    ['sandbox/echo', {}],
    ['sandbox/think', {}],
    ['sandbox/tool', {}],
    ['sandbox/tools=3', {}],
    ['sandbox/refuse', {}],
    ['sandbox/nousage', {}],
    ['sandbox/words=50', { maxOutputTokens: 10 }],
    ['sandbox/text=one END two', { stop: ['END'] }],
    ['sandbox/finish=pause_turn', {}],
    ['sandbox/finish=model_context_window_exceeded', {}],
    ['sandbox/echo', { output: { kind: 'schema', schema } }],
    ['sandbox/tool', { toolChoice: { mode: 'required', only: ['weather'] } }],
  ])('mean the same: %s %j', async (model, more) => {
    await using sandbox = await startSandbox()
    const whole = JSON.parse(await ask(sandbox, model, more)) as JsonObject
    const stream = await ask(sandbox, model, { ...more, stream: true })
    const streamed = collect(decodeStream(framesOf(stream), request))
    expect(streamed).toBeDefined()
    expect(meaning(streamed!)).toEqual(meaning(readReply(whole, request)))
  })
})
