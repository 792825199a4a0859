import { expect, test } from 'vitest'

import { startService } from './service.ts'

const field = 'previous_response_id'

/** An id that means nothing, as JSON. */
const invalid = ['""', '" \\t\\n"', '"\\u0020"', '7', 'true', '{}', '["resp_1"]', '{"id":"resp_1"}']

test.each(invalid)('C22: %s as previous_response_id is invalid_value', async (text) => {
  await using service = await startService()
  const response = await service.post('responses', `{"model":"m","input":"hi","${field}":${text}}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    error: {
      type: 'invalid_request_error',
      code: 'invalid_value',
      param: field,
      message: expect.stringContaining(field) as string,
    },
  })
  expect(service.upstream.requests).toEqual([])
})

test('C22: null is as good as absent', async () => {
  await using service = await startService()
  const body = `{"model":"m","input":"hi","${field}": null}`
  expect((await service.post('responses', body)).status).toBe(200)
  expect(service.received().body.toString()).toBe(body)
})

test('an id is passed on as it is', async () => {
  await using service = await startService()
  const { id } = (await (await service.ask('responses')).json()) as { id: string }
  expect((await service.ask('responses', { [field]: id })).status).toBe(200)
  expect(service.received().body.toString()).toContain(`"${field}":"${id}"`)
})

test('a blank id is told before a missing input or an unknown model', async () => {
  await using service = await startService({ accounts: [] })
  const response = await service.ask('responses', { [field]: '', input: undefined })
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_value', param: field } })
})
