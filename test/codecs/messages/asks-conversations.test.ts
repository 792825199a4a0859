import { describe, expect, it } from 'vitest'

import type { Turn } from '../../../src/generate/request.ts'
import { write } from './codec.ts'
import { reply, say, text } from './turns.ts'

describe('an account of messages', () => {
  it('gets every system text at the top', () => {
    const system = (said: string): Turn => ({ role: 'system', content: [text(said) as never] })
    const body = write({ turns: [system('One.'), say('hi'), system('Two.'), say('you')] })
    expect(body.system).toEqual([text('One.'), text('Two.')])
    expect(body.messages).toEqual([{ role: 'user', content: [text('hi'), text('you')] }])
  })

  it('gets a first turn of a user, whoever spoke first', () => {
    const { messages } = write({ turns: [reply('Hello!'), say('hi')] })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(() => write({ turns: [] })).toThrow('require a message of the user')
  })

  it('gets no blank texts, which it refuses', () => {
    const { messages } = write({ turns: [say('hi'), reply('  '), say('\n'), say('you')] })
    expect(messages).toEqual([{ role: 'user', content: [text('hi'), text('you')] }])
  })

  it('goes on from an answer that was begun, where its model can', () => {
    const turns = [say('hi'), reply('Roses are ')]
    const fields = { assistant_prefill: 'messages' }
    expect(write({ turns, fields }).messages.at(-1)).toEqual({
      role: 'assistant',
      content: [text('Roses are')],
    })
    expect(write({ turns, fields }, 'claude-opus-4-6').messages.at(-1)?.role).toBe('user')
    expect(write({ turns }).messages.at(-1)?.role).toBe('user')
  })
})
