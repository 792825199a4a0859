import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { type Chunk, chunksIn, collect, context, decode, read, readEvents, write } from './codec.ts'
import { eventsInPieces, results } from './neutral-replies.ts'

const pieces = fc.integer({ min: 1, max: 6 })

/** What matters to somebody who reads a reply: signatures are for those who send it back. */
function meaning({ choices, usage }: GenerateResult) {
  return {
    usage,
    choices: choices.map(({ content, stop }) => ({
      reason: content.some(isRefusal) && stop.reason === 'stop' ? 'filtered' : stop.reason,
      text: textOf(content, ['text', 'refusal']),
      thoughts: textOf(content, ['reasoning']),
      calls: content.flatMap((part) => (part.type === 'tool_call' ? [callOf(part)] : [])),
      media: content.filter(({ type }) => type === 'image').length,
    })),
  }
}

function isRefusal({ type }: AssistantPart): boolean {
  return type === 'refusal'
}

function textOf(content: readonly AssistantPart[], types: readonly string[]): string {
  return content
    .map((part) => (types.includes(part.type) && 'text' in part ? part.text : ''))
    .join('')
}

function callOf({ id, name, arguments: text }: Extract<AssistantPart, { type: 'tool_call' }>) {
  const args: unknown =
    text === '' ? {} : text === '{"cut' ? { INVALID_JSON: text } : JSON.parse(text)
  return { id, name, args }
}

function readStream(result: GenerateResult, size: number): GenerateResult | undefined {
  const candidates = result.choices.length
  return collect(readEvents(chunksIn(write(eventsInPieces(result, size))), { candidates }))
}

function readWhole(result: GenerateResult) {
  const { body } = generateCodec.encodeResult(result, context())
  const read1 = read(body, { candidates: result.choices.length })
  if ('type' in read1) throw new Error(read1.message)
  return read1
}

test('a client that streams and one that does not are told the same, and what was said', () => {
  fc.assert(
    fc.property(results, pieces, (result, size) => {
      const streamed = readStream(result, size)
      expect(streamed).toBeDefined()
      expect(meaning(streamed!)).toEqual(meaning(result))
      expect(meaning(readWhole(result))).toEqual(meaning(result))
    }),
    { numRuns: 500 },
  )
})

test('a client that sends an answer back has said the same, however it got it', () => {
  fc.assert(
    fc.property(results, pieces, (result, size) => {
      const one = { ...result, choices: result.choices.slice(0, 1) }
      const { body } = generateCodec.encodeResult(one, context())
      const whole = said([body as Chunk])
      expect(said(chunksIn(write(eventsInPieces(one, size))))).toEqual(whole)
      expect(whole.filter(({ type }) => type === 'tool_call')).toMatchObject(
        one.choices[0]!.content.filter(({ type }) => type === 'tool_call').map(({ type }) => ({
          type,
        })),
      )
    }),
    { numRuns: 500 },
  )
})

/** What a chat has said that sends back each chunk as a content of its own. */
function said(chunks: readonly Chunk[]): readonly Pick<AssistantPart, 'type'>[] {
  const contents = chunks.map(({ candidates }) => candidates[0]!.content)
  const { turns } = decode({ contents: [{ parts: [{ text: 'Hello' }] }, ...contents] })
  const turn = turns[1]
  const parts = turn?.role === 'assistant' ? turn.content : []
  return parts.map((part) => ('field' in part ? { ...part, field: undefined } : part))
}

test('a reply that was read and written again tells its client the same', () => {
  fc.assert(
    fc.property(results, (result) => {
      const once = readWhole(result)
      expect(readWhole(once).choices).toEqual(once.choices)
    }),
    { numRuns: 200 },
  )
})

test('every chunk is whole JSON with a candidate, and only the last one of all tells usage', () => {
  fc.assert(
    fc.property(results, (result) => {
      const chunks = chunksIn(write(eventsOf(result)))
      const last = chunks.pop()
      expect(last?.candidates.every(({ finishReason }) => finishReason !== undefined)).toBe(true)
      for (const chunk of chunks) {
        expect(chunk.candidates[0]).not.toHaveProperty('finishReason')
        expect(chunk).not.toHaveProperty('usageMetadata')
        expect(chunk.responseId).toBe(last?.responseId)
      }
    }),
  )
})
