import { describe, expect, it } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { collect, decodeStream, neutral } from './codec.ts'
import {
  addInput,
  addText,
  addThinking,
  close,
  emptyCall,
  emptyText,
  ending,
  open,
  start,
  weather,
} from './replies.ts'

const contentOf = (...frames: JsonObject[]) => collect(decodeStream(frames))?.choices[0]?.content

describe('a stream that is almost right', () => {
  it('begins once, however often it says so (LiteLLM #32357)', () => {
    const events = decodeStream([
      start(),
      start({ input_tokens: 12 }),
      open(0, emptyText),
      addText(0, 'Hi.'),
      close(0),
      ...ending('end_turn'),
    ])
    expect(events.filter(({ type }) => type === 'start')).toHaveLength(1)
    expect(collect(events)?.usage.inputTokens).toBe(12)
  })

  it('keeps thoughts that stand in a block of text (LiteLLM #32357)', () => {
    const content = contentOf(
      start(),
      open(0, emptyText),
      addThinking(0, 'Hm.'),
      addText(0, 'Hi.'),
      close(0),
      ...ending('end_turn'),
    )
    expect(content).toEqual([
      { type: 'reasoning', text: 'Hm.', form: 'summary' },
      { type: 'text', text: 'Hi.' },
    ])
  })

  it('keeps arguments that stand at the beginning of a call (LiteLLM #25561)', () => {
    const content = contentOf(start(), open(0, weather('toolu_1')), close(0), ...ending('tool_use'))
    expect(content).toMatchObject([{ arguments: '{"city":"Ulm"}' }])
  })

  it('keeps the arguments of calls apart that are written at once', () => {
    const content = contentOf(
      start(),
      open(0, emptyCall('a')),
      open(1, emptyCall('b')),
      addInput(0, '{"a"'),
      addInput(1, '{"b"'),
      addInput(0, ':1}'),
      addInput(1, ':2}'),
      close(1),
      close(0),
      ...ending('tool_use'),
    )
    expect(content).toMatchObject([
      { id: 'a', arguments: '{"a":1}' },
      { id: 'b', arguments: '{"b":2}' },
    ])
  })

  it('may forget to begin or to end a block, or to begin at all', () => {
    const content = contentOf(
      addText(0, 'Hi.'),
      addThinking(3, 'Hm.'),
      addInput(7, '{"whose":1}'),
      ...ending('end_turn'),
    )
    expect(content).toEqual([
      { type: 'text', text: 'Hi.' },
      { type: 'reasoning', text: 'Hm.', form: 'summary' },
    ])
  })

  it('may say nothing, or things that nobody knows', () => {
    const content = contentOf(
      start(),
      open(0, emptyText),
      addText(0, ''),
      close(0),
      open(1, { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} }),
      addInput(1, '{}'),
      close(1),
      { type: 'news', text: 'x' },
      { type: 'content_block_delta', index: 2, delta: null },
      { type: 'content_block_delta', index: 2, delta: { type: 'news_delta', text: 'x' } },
      ...ending('end_turn'),
    )
    expect(content).toEqual([])
  })

  it('may leave the type to the name of the event', () => {
    const events: GenerateEvent[] = []
    const decoder = messagesCodec.decodeEvents(neutral(), (event) => events.push(event))
    decoder.decode({ message: {} }, 'message_start')
    decoder.decode({ index: 0, delta: { type: 'text_delta', text: 'Hi.' } }, 'content_block_delta')
    decoder.decode({ delta: { stop_reason: 'end_turn' } }, 'message_delta')
    decoder.decode({}, 'message_stop')
    expect(collect(events)?.choices[0]?.content).toEqual([{ type: 'text', text: 'Hi.' }])
  })
})

describe('a stream that fails', () => {
  it('tells of the failure and nothing after it', () => {
    const events = decodeStream([
      start(),
      open(0, emptyText),
      addText(0, 'Hi'),
      { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } },
      addText(0, '.'),
      ...ending('end_turn'),
    ])
    expect(events.at(-1)).toEqual({ type: 'error', message: 'Busy.', status: 529 })
    expect(collect(events)).toBeUndefined()
  })

  it.each([[{ type: 'error' }], [{ error: { message: 'Broken.' } }], [{ error: 'Broken.' }]])(
    'tells of it in other words too: %j',
    (frame) => {
      expect(decodeStream([start(), frame]).at(-1)).toMatchObject({ type: 'error', status: 502 })
    },
  )

  it('is never complete without its last event', () => {
    const whole = [start(), open(0, emptyText), addText(0, 'Hi.'), close(0), ...ending('end_turn')]
    for (let length = 0; length < whole.length; length++) {
      const events: GenerateEvent[] = []
      const decoder = messagesCodec.decodeEvents(neutral(), (event) => events.push(event))
      for (const frame of whole.slice(0, length)) decoder.decode(frame, '')
      decoder.done?.()
      decoder.end?.()
      expect(collect(events)).toBeUndefined()
    }
    expect(collect(decodeStream(whole))).toBeDefined()
  })

  it('is over after its last event', () => {
    const events = decodeStream([start(), ...ending('end_turn'), addText(0, 'x'), start()])
    expect(events.at(-1)?.type).toBe('finish')
  })
})
