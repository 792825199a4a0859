import { expect, test } from 'vitest'

import type { Observer } from '../../src/contract/observer.ts'
import { sse } from '../../src/kit/framing/sse.ts'
import { TooMuchJson } from '../../src/lib/json/object.ts'
import { ChangingObserver } from '../../src/upstream/changing-observer.ts'
import { framesWithClientId, readWithClientId } from '../../src/upstream/rename.ts'

const renamed = { id: 'conv_of_client', upstreamId: 'conv_12' }

const observer: Observer = {
  contentType: sse.contentType,
  completeness: undefined,
  observe: (bytes) => ({ phase: 'output', bytes }),
  end: () => ({ phase: 'start' }),
  fail: () => ({ bytes: Buffer.alloc(0), ending: 'end' }),
  keepAlive: () => Buffer.alloc(0),
}

const plan = {
  observer: () =>
    new ChangingObserver(observer, {
      from: sse,
      to: sse,
      changes: [(frames) => framesWithClientId(frames, renamed, sse)],
    }),
  read: readWithClientId(
    () => ({ outcome: { status: 'completed', fault: 'none' } }),
    renamed,
    'key',
  ),
}

function listOf(ids: number, id: string): string {
  return `{"ids":[${`"${id}",`.repeat(ids)}1]}`
}

function framesOf(ids: number, id: string): Buffer {
  const data = [listOf(1, 'another'), listOf(ids, id), listOf(1, 'another'), listOf(1, id), '1']
  return Buffer.from(data.map((one) => `data: ${one}\n\n`).join(''))
}

test('frames that name a resource too often are refused', () => {
  const frames = framesOf(20_000, renamed.upstreamId)
  expect(() => plan.observer().observe(frames)).toThrow(TooMuchJson)
})

test('a reply that names a resource too often is refused', () => {
  const reply = (ids: number) => plan.read({}, Buffer.from(listOf(ids, renamed.upstreamId)))
  expect(() => reply(20_000)).toThrow(TooMuchJson)
  expect(reply(2)).toMatchObject({ body: Buffer.from(listOf(2, renamed.id)) })
})

test('frames that name a resource often name it by the id of the client', () => {
  const frames = framesOf(5_000, renamed.upstreamId)
  expect(plan.observer().observe(frames).bytes).toEqual(framesOf(5_000, renamed.id))
})
