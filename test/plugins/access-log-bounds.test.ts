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
