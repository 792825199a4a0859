import { describe, expect, test } from 'vitest'

import { ask, dialectNames, dialects, pdf, png, questions, startHouse, upload } from './stage.ts'

const files = { image: png, document: pdf }

describe.each(dialectNames)('an account that speaks %s', (account) => {
  test.each(dialectNames)('is shown the uploads of clients of %s', async (client) => {
    await using house = await startHouse(account)
    const { service, sandbox } = house
    for (const [kind, bytes] of Object.entries(files)) {
      const path = await upload(service, `${kind}s/it`, bytes)
      const question = questions[client][kind as keyof typeof files](path)
      const response = await ask(service, dialects[client], question)
      expect([kind, response.status, await response.text()]).toEqual([
        kind,
        200,
        expect.any(String),
      ])
      const asked = sandbox.requests.at(-1)?.body.toString() ?? ''
      expect(asked).toContain(bytes.toString('base64'))
      expect(asked).not.toContain('local:')
    }
  })
})

test('the tokens of an upload are counted', async () => {
  await using house = await startHouse('messages')
  const { service, sandbox } = house
  const path = await upload(service, 'it', png)
  const { max_tokens: _, ...question } = questions.messages.image(path) as Record<string, unknown>
  const count = { path: '/v1/messages/count_tokens' }
  expect((await ask(service, count, question)).status).toBe(200)
  const { contents } = questions.generate.image(path) as { contents: unknown }
  const foreign = { path: '/v1beta/models/m:countTokens' }
  const whole = { generateContentRequest: { model: 'models/m', contents } }
  for (const body of [{ contents }, whole]) {
    expect((await ask(service, foreign, body)).status).toBe(200)
  }
  expect(sandbox.requests).toHaveLength(3)
  for (const { body } of sandbox.requests) expect(body.toString()).toContain(png.toString('base64'))
})

test('a response that is kept here goes on with the file', async () => {
  await using house = await startHouse('messages')
  const { service, sandbox } = house
  const path = await upload(service, 'it', png)
  const first = await ask(service, dialects.responses, questions.responses.image(path))
  const { id } = (await first.json()) as { id: string }
  const again = { model: 'm', input: 'And now?', previous_response_id: id }
  expect((await ask(service, dialects.responses, again)).status).toBe(200)
  expect(sandbox.requests.at(-1)?.body.toString()).toContain(png.toString('base64'))
})
