import { describe, expect, it } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import { read, readReply, write } from './codec.ts'

describe('a strict account', () => {
  it('takes back the thoughts that it signed, in the tool loop of a client of its own kind', async () => {
    await using sandbox = await startSandbox()
    const tools = [{ name: 'weather', input_schema: { type: 'object', properties: {} } }]
    const question = { role: 'user', content: 'How is the weather?' }
    const asking = { tools, max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 1024 } }
    const first = read({ ...asking, messages: [question] })
    const reply = (await (await ask(sandbox, write(first, 'sandbox/tool'))).json()) as JsonObject
    const { choices } = readReply(reply)
    const [thought, call] = choices[0]!.content
    expect(thought).toMatchObject({ type: 'reasoning', signature: { dialect: 'messages' } })
    expect(call).toMatchObject({ type: 'tool_call', name: 'weather' })

    const { id } = call as { id: string }
    const second = read({
      ...asking,
      messages: [
        question,
        { role: 'assistant', content: reply.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Rain.' }] },
      ],
    })
    const body = write(second, 'sandbox/echo')
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: 1024 })
    expect(body.messages[1]!.content[0]).toMatchObject({ type: 'thinking' })
    expect(await refusalOf(sandbox, body)).toBe('')
  })
})

async function refusalOf(sandbox: Sandbox, body: JsonObject): Promise<string> {
  const response = await ask(sandbox, body)
  const reply = await response.text()
  return response.status === 200 ? '' : `${reply}\n${JSON.stringify(body)}`
}

function ask({ url }: Sandbox, body: JsonObject): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'sandbox-key-a',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(body),
  })
}
