import { expect, test } from 'vitest'

import type { Observation, Observer } from '../../src/contract/observer.ts'
import { jsonArray } from '../../src/kit/framing/json-array.ts'
import { sse } from '../../src/kit/framing/sse.ts'
import { ChangingObserver } from '../../src/upstream/changing-observer.ts'
import { TooMuchJson } from '../../src/lib/json/object.ts'
import { ModelRenamer } from '../../src/upstream/rename.ts'

const frame = Buffer.from('data: {"model":"a"}\n\n')

/** An observer, as a third party may write one, whose first event waits. */
function waiting(): Observer & { isCancelled: boolean } {
  const later: Observation = { phase: 'output', bytes: frame }
  return {
    contentType: 'text/event-stream',
    size: 7,
    isWaiting: true,
    isCancelled: false,
    usage: { inputTokens: 1 },
    discloses: [{ kind: 'item', id: 'i' }],
    observe: () => ({ phase: 'start' }),
    later: () => Promise.resolve(later),
    end: () => later,
    fail: () => ({ bytes: Buffer.alloc(0), ending: 'end' }),
    keepAlive: () => Buffer.alloc(0),
    cancel() {
      this.isCancelled = true
    },
  }
}

test.each<[string, (inner: Observer) => Observer, string]>([
  [
    'a renamed stream',
    (inner) =>
      new ChangingObserver(inner, {
        from: sse,
        to: sse,
        changes: [(frames) => new ModelRenamer(['model'], 'b', sse).inFrames(frames)],
      }),
    frame.toString(),
  ],
  [
    'a reframed stream',
    (inner) => new ChangingObserver(inner, { from: sse, to: jsonArray, changes: [] }),
    '[{"model":"a"}',
  ],
])('%s waits, counts and ends as the one within', async (_what, around, bytes) => {
  const inner = waiting()
  const outer = around(inner)
  expect([outer.size, outer.isWaiting, outer.usage, outer.discloses]).toEqual([
    7,
    true,
    { inputTokens: 1 },
    [{ kind: 'item', id: 'i' }],
  ])
  expect(String((await outer.later?.())?.bytes)).toBe(bytes)
  outer.cancel?.()
  expect(inner.isCancelled).toBe(true)
})

test.each([
  ['values', `[${'[],'.repeat(300_000)}0]`],
  ['levels', '['.repeat(100_000)],
  ['bytes outside of strings', ' '.repeat(9 * 1024 * 1024)],
])('a frame of too many %s is not searched for the model', (_, value) => {
  const frames = Buffer.from(`data: {"model":"a","more":${value}}\n\n`)
  const renamer = new ModelRenamer(['model'], 'b', sse)

  expect(() => renamer.inFrames(frames)).toThrow(TooMuchJson)
  expect(renamer.reported).toBeUndefined()
})

test('an event that waited and cannot be framed for the client fails the stream', async () => {
  const bytes = Buffer.from(`[{${'\n'.repeat(20_002)}}`)
  const inner = { ...waiting(), later: () => Promise.resolve({ phase: 'output' as const, bytes }) }
  const outer = new ChangingObserver(inner, { from: jsonArray, to: sse, changes: [] })

  expect(await outer.later()).toMatchObject({
    phase: 'failed',
    error: { message: expect.stringContaining('too many lines') },
  })
})
