import { afterEach, describe, expect, it, vi } from 'vitest'

import { ChatObserver } from '../../../plugins/dialects/chat/observer.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { formatFrame } from '../../../src/lib/sse.ts'

const account = { origin: 'http://127.0.0.1:1', basePath: '' }
const body = { json: {}, members: new Map() }
const call = { stream: true }
const exchange = { body, call, candidate: { account, dialect: {} } } as unknown as Routed

/** Members behind the choices, as several providers write them. */
const endings: Readonly<Record<string, (index: number) => object>> = {
  'nothing more': () => ({}),
  'a padding of OpenAI': (index) => ({ usage: null, obfuscation: 'xY3'.repeat(9 - index) }),
  'a padding of Mistral': (index) => ({ p: 'abcdefghijk'.slice(index) }),
  'a long padding': (index) => ({ obfuscation: 'xY3'.repeat(200 - index) }),
  'a padding that is empty': () => ({ obfuscation: '' }),
  'an empty padding, then some': (index) => ({ obfuscation: 'a'.repeat(index) }),
  'padding before other members': (index) => ({ obfuscation: 'a'.repeat(index), usage: null }),
}

function chunk(content: string, finishReason: string | null, ending: object = {}): string {
  const choice = { index: 0, delta: { content }, logprobs: null, finish_reason: finishReason }
  return formatFrame(undefined, { id: 'c', model: 'm', choices: [choice], ...ending })
}

/** What the frames are taken for, and how many of them are parsed. */
function observe(frames: readonly string[]) {
  const observer = new ChatObserver(exchange)
  const parse = vi.spyOn(JSON, 'parse')
  const phases = frames.map((frame) => observer.observe(Buffer.from(frame)).phase)
  const parsed = parse.mock.calls.length
  return { phases, parsed, end: observer.end() }
}

describe('chunks of a chat that only pass', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  for (const [name, ending] of Object.entries(endings)) {
    it(`are parsed no more than once with ${name} behind the choices`, () => {
      const words = ['A', 'str"eam"', '"finish_reason":null', 'of', 'words']
      const pieces = words.map((word, index) => chunk(word, null, ending(index)))
      const last = chunk('', 'stop', ending(8))
      const seen = observe([...pieces, last, formatFrame(undefined, '[DONE]')])
      expect(seen).toMatchObject({
        phases: [...words.map(() => 'output'), 'output', 'terminal'],
        parsed: 2,
        end: { phase: 'terminal', outcome: { status: 'completed' } },
      })
    })
  }

  it('are parsed no more than once where an account writes blanks', () => {
    const spaced = (frame: string) => frame.replaceAll('":', '": ').replaceAll(',"', ', "')
    const pieces = ['abc', 'a', ''].map((p) => spaced(chunk('word', null, { p })))
    expect(observe(pieces)).toMatchObject({
      phases: pieces.map(() => 'output'),
      parsed: 1,
      end: { phase: 'failed' },
    })
  })

  it('are parsed where the padding is no plain text', () => {
    const seen = observe([
      chunk('A', null, { obfuscation: 'ab' }),
      chunk('B', null, { obfuscation: 'a"b' }),
      chunk('C', null, { obfuscation: 'ab', error: null }),
    ])
    expect(seen.parsed).toBe(3)
  })

  it('are parsed where something else stands behind the padding', () => {
    const seen = observe([
      chunk('A', null, { obfuscation: 'ab', error: null }),
      chunk('B', null, { obfuscation: 'cd', error: 'no' }),
    ])
    expect(seen.phases).toEqual(['output', 'failed'])
  })

  it('are parsed where the padding is that of a choice that ends', () => {
    const seen = observe([
      chunk('A', null, { obfuscation: 'ab' }),
      chunk('"finish_reason":null', 'length', { obfuscation: 'cd' }),
    ])
    expect(seen).toMatchObject({ parsed: 2, end: { outcome: { status: 'incomplete' } } })
  })
})
