import { expect, test } from 'vitest'

import { ask, dialectNames, dialects, pdf, png, questions, startHouse, upload } from './stage.ts'

/** The error of a dialect, whose words for a kind are its own. */
async function errorOf(response: Response) {
  const { error } = (await response.json()) as {
    error: { message: string; type?: string; status?: string }
  }
  return { status: response.status, word: error.status ?? error.type, message: error.message }
}

test.each(dialectNames)(
  'a client of %s that names no file of its own hears of it in its dialect, and nobody is asked',
  async (name) => {
    await using house = await startHouse(name)
    const { service, sandbox } = house
    const theirs = await upload(service, 'it', png)
    const places = {
      [theirs]: 'key-of-bob',
      [`${theirs}.not`]: 'key-of-alice',
      'local://x': undefined,
    }
    for (const [path, key] of Object.entries(places)) {
      const refused = await ask(service, dialects[name], questions[name].image(path), key)
      const { status, word, message } = await errorOf(refused)
      const words = expect.stringContaining(`this API key has no file \`${path}\`.`) as string
      expect([path, status, message]).toEqual([path, 404, words])
      expect(word).toMatch(/^(?:not_found_error|NOT_FOUND|invalid_request_error)$/)
      expect(message).toMatch(/(?:messages|input|contents)\[0\]\.(?:content|parts)/)
    }
    expect(sandbox.requests).toEqual([])
  },
)

test('files have the limits of those that are fetched', async () => {
  const remote = { maxBytes: 100, maxFiles: 2 }
  await using house = await startHouse('responses', { remote })
  const { service, sandbox } = house
  const [small, other, third] = [
    await upload(service, 'small', png),
    await upload(service, 'other', pdf),
    await upload(service, 'third', Buffer.alloc(90)),
  ]
  const large = await upload(service, 'large', Buffer.alloc(101))
  const asking = async (...paths: string[]) => {
    const content = paths.map((file_url) => ({ type: 'input_file', file_url }))
    const body = { model: 'm', input: [{ role: 'user', content }] }
    return errorOf(await ask(service, dialects.responses, body))
  }
  expect(await asking(large)).toMatchObject({
    status: 400,
    message: expect.stringMatching(/larger than 100 bytes/),
  })
  expect(await asking(small, other, third)).toMatchObject({ status: 400 })
  expect(sandbox.requests).toEqual([])
})

test('what only looks like a path is the client’s own', async () => {
  await using house = await startHouse('messages')
  const { service, sandbox } = house
  const input = { type: 'image', source: { type: 'url', url: 'local://example' } }
  const body = JSON.stringify({
    model: 'm',
    max_tokens: 99,
    messages: [
      { role: 'user', content: 'local://text' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'show', input }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'local://' }],
      },
    ],
    tools: [{ name: 'show', input_schema: { type: 'object', description: 'local://' } }],
  })
  expect((await ask(service, dialects.messages, body)).status).toBe(200)
  const expected = body.replace('"m"', '"sandbox/echo"')
  expect(sandbox.requests[0]?.body.toString()).toBe(expected)
})
