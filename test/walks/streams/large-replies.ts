import { expect } from 'vitest'

import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from './asking.ts'
import { type Form, form } from './forms.ts'
import { openStream } from './scripted.ts'

export type Delta = Readonly<Record<string, unknown>>

export function chunk(delta: Delta, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}

export const begin = chunk({ role: 'assistant', content: '' })

export const done = 'data: [DONE]\n\n'

export const calls = Array.from({ length: 2_000 }, (_, index) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name: `f${index}`, arguments: `{"at":${index}}` },
}))

export const oneEvent = chunk({ tool_calls: calls })

export const endOfCalls = chunk({}, 'tool_calls') + done

export const clients = [form.responses, form.messages, form.generate, form['generate-array']]

export async function streamed(client: Form, frames: readonly string[]): Promise<string> {
  await using mixed = await startMixed({
    a: {
      form: form.chat,
      script: (response) => {
        openStream(response)
        response.end(frames.join(''))
      },
    },
  })
  const received = await receive(await ask(mixed.gateway, client))
  expect(received.reset).toBe(false)
  expect(await mixed.gateway.logged(1)).toMatchObject([{ stream_end: 'complete' }])
  return received.text
}
