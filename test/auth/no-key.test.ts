import { expect, test } from 'vitest'

import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'

const places: Readonly<Record<DialectName, string>> = {
  responses: '`Authorization: Bearer KEY`',
  chat: '`Authorization: Bearer KEY`',
  messages: '`x-api-key: KEY` or `Authorization: Bearer KEY`',
  generate: '`x-goog-api-key: KEY` or `?key=KEY`',
}

const none = { authorization: undefined, 'x-api-key': undefined, 'x-goog-api-key': undefined }

test.each(dialectNames)('%s: a client without a key is told where it goes', async (dialect) => {
  await using service = await startService()

  const response = await service.post(dialect, '{}', { headers: none })

  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    error: { message: `The API key is missing: send it as ${places[dialect]}.` },
  })
})

test.each(dialectNames)(
  '%s: a client with a wrong key is told no more than that',
  async (dialect) => {
    await using service = await startService()

    const headers = { ...none, authorization: 'Bearer sk-wrong' }
    const response = await service.post(dialect, '{}', { headers })
    const text = await response.text()

    expect(response.status).toBe(401)
    expect(JSON.parse(text)).toMatchObject({ error: { message: 'The API key is not valid.' } })
    expect(text).not.toContain('sk-wrong')
  },
)
