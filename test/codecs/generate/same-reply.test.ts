import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../../daily-rows.ts'
import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { anyReply, eventsInPieces } from '../any-reply.ts'
import { type Chunk, chunksIn, context, decode, read, write } from './codec.ts'

const pieces = fc.integer({ min: 1, max: 6 })

const results = anyReply('generate')

function readWhole(result: GenerateResult) {
  const { body } = generateCodec.encodeResult(result, context())
  const read1 = read(body, { candidates: result.choices.length })
  if ('type' in read1) throw new Error(read1.message)
  return read1
}

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
    { numRuns: dailySteps(500) },
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
    { numRuns: dailySteps(200) },
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
