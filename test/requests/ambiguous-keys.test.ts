import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { dialectNames, dialects } from './dialects.ts'
import { startService } from './service.ts'

const watched = ['model', 'stream', 'previous_response_id'] as const

/** One model could be authorised and another served, so the gateway refuses to guess. */
describe.each(dialectNames)('a %s request', (dialect) => {
  const plain = JSON.stringify({ ...dialects[dialect].request, model: undefined }).slice(1)

  test.each(dailyRows(watched, dialectNames.indexOf(dialect)))(
    'with %s twice is refused',
    async (key) => {
      await using service = await startService()
      for (const pair of [`"${key}":"m","${key}":"m"`, `"${key}":"m", "x":{}, "${key}":null`]) {
        const response = await service.post(dialect, `{${pair},${plain}`)
        expect(response.status).toBe(400)
        expect(await response.text()).toContain(key)
      }
      expect(service.upstream.requests).toEqual([])
    },
  )

  test.each(dailyRows(watched, dialectNames.indexOf(dialect) + 1))(
    'with %s in disguise is refused',
    async (key) => {
      await using service = await startService()
      const escaped = `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`
      const late = `${key.slice(0, -1)}\\u00${key.charCodeAt(key.length - 1).toString(16)}`
      for (const pair of [`"${escaped}":"m"`, `"${key}":"m","${late}":"other"`]) {
        const response = await service.post(dialect, `{${pair},${plain}`)
        expect(response.status).toBe(400)
      }
      expect(service.upstream.requests).toEqual([])
    },
  )
})

test('a duplicated previous_response_id is told in the envelope of chaining', async () => {
  await using service = await startService()
  const id = '"previous_response_id":"resp_1"'
  const response = await service.post('responses', `{"model":"m","input":"hi",${id},${id}}`)
  expect(await response.json()).toMatchObject({
    error: { type: 'invalid_request_error', param: 'previous_response_id' },
  })
})

test('the same keys further down are nobody’s business', async () => {
  await using service = await startService()
  const nested = '{"model":1,"m\\u006fdel":2,"model":3,"stream":4,"stream":5}'
  const body = `{"model":"m","messages":[${nested}],"metadata":${nested},"models":"x","model ":1}`
  expect((await service.post('chat', body)).status).toBe(200)
  expect(service.received().body.toString()).toBe(body)
})

test.each(['Model', 'MODEL', 'Stream', 'previous_response_ID'])(
  '%s beside the real key is refused: some servers take one for the other',
  async (key) => {
    await using service = await startService()
    const body = `{"model":"m","messages":[{"role":"user","content":"hi"}],"${key}":"other"}`
    expect((await service.post('chat', body)).status).toBe(400)
    expect(service.upstream.requests).toEqual([])
  },
)
