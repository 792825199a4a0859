import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { approach, exchangeOf } from '../../translate/kernel.ts'
import { relayed } from '../../translate/relayed.ts'
import { mayEndWell } from '../../fuzz/oracle.ts'
import { addText, close, emptyText, ending, open, start } from './replies.ts'

const said = [start(), open(0, emptyText), addText(0, 'Hi.'), close(0)]
const stop = { type: 'message_stop' }

const wireOf = (frames: readonly JsonObject[]) =>
  Buffer.from(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''))

async function toldOf(frames: readonly JsonObject[]) {
  const exchange = exchangeOf({ client: 'chat', account: 'messages', stream: true })
  return relayed([wireOf(frames)], await approach(exchange))
}

describe.each<[string, JsonObject[]]>([
  ['only ends', [stop]],
  ['never told why it ends', [...said, stop]],
  ['told why it ends in a word of nothing', [...said, ...ending('')]],
  ['told why it ends after it had ended', [...said, stop, ...ending('end_turn')]],
  ['told that it has not ended', [...said, ...ending(null)]],
])('a message that %s', (_, frames) => {
  test('has broken off, and is no success for anybody', async () => {
    const { outcome, error, wire } = await toldOf(frames)
    expect(outcome).toBeUndefined()
    expect(error?.code).toBe('upstream_stream_broken')
    expect(wire).not.toContain('[DONE]')
  })

  test('may not pass in the fuzz either', () => {
    expect(mayEndWell('messages', wireOf(frames))).toBe(false)
  })
})

test('a message is complete that has told why it ends, though it forgot to begin', async () => {
  const frames = [addText(0, 'Hi.'), ...ending('end_turn')]
  expect((await toldOf(frames)).outcome).toMatchObject({ status: 'completed' })
  expect(mayEndWell('messages', wireOf(frames))).toBe(true)
})

test('a message that told why it ends need not say so again with its usage', async () => {
  const frames = [...said, ending('end_turn')[0]!, ...ending(null)]
  expect((await toldOf(frames)).outcome).toMatchObject({ status: 'completed' })
  expect(mayEndWell('messages', wireOf(frames))).toBe(true)
})
