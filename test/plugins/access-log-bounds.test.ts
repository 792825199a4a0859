import { expect, test } from 'vitest'

import { startService } from '../requests/service.ts'

test('an id that no response has, however long, leaves a short line', async () => {
  await using service = await startService()
  const response = await service.ask('responses', { previous_response_id: 'x'.repeat(1_000_000) })
  expect(response.status).toBe(400)
  const [line] = await service.gateway.logged(1)
  expect(line).toMatchObject({ prev_response_id: `${'x'.repeat(512)}...` })
  expect(JSON.stringify(line).length).toBeLessThan(2_000)
})

test('ids of an ordinary length are whole', async () => {
  await using service = await startService()
  const id = `resp_${'0123456789abcdef'.repeat(31)}`
  await service.ask('responses', { previous_response_id: id })
  expect((await service.gateway.logged(1))[0]).toMatchObject({ prev_response_id: id })
})

test('a call that excludes thousands of accounts leaves a short line, which counts them', async () => {
  const accounts = Array.from({ length: 2_000 }, (_, index) => ({
    id: `chat-${index}`,
    provider: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9/v1',
    speaks: ['chat'],
    models: ['m'],
  }))
  await using service = await startService({ accounts })
  const response = await service.ask('responses', { model: 'm', background: true })
  expect(response.status).toBe(400)
  const [line] = await service.gateway.logged(1)
  expect(line?.['excluded']).toHaveLength(50)
  expect(line).toMatchObject({ excluded_omitted: 1_950 })
  expect(JSON.stringify(line).length).toBeLessThan(20_000)
})
