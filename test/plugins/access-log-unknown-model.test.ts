import { describe, expect, test } from 'vitest'

import { dialectNames } from '../requests/dialects.ts'
import { accountsAt, startService } from '../requests/service.ts'

async function startWith(models: string[], keyModels?: string[]) {
  const key = { id: 'team-a', secret: 'test-secret', ...(keyModels && { models: keyModels }) }
  const service = await startService({ keys: [key] })
  service.gateway.reload({ accounts: accountsAt(service.upstream.url, models) })
  return service
}

const unknown = { status: 404, error_type: 'model_not_found', key_id: 'team-a' }

describe('an operator who looks for calls that nobody could serve finds the model', () => {
  test.each(dialectNames)('that does not exist (%s)', async (dialect) => {
    await using service = await startWith(['m'])
    const path = '/v1beta/models/mistyped:generateContent'
    await service.ask(dialect, { model: 'mistyped' }, dialect === 'generate' ? { path } : {})

    const [line] = await service.gateway.logged(1)

    expect(line).toMatchObject({ ...unknown, model_requested: 'mistyped' })
    for (const field of ['model_resolved', 'account', 'route_rule']) {
      expect(line).not.toHaveProperty(field)
    }
  })

  test('that the key may not use', async () => {
    await using service = await startWith(['m'], ['other'])
    await service.ask('chat')
    const [line] = await service.gateway.logged(1)
    expect(line).toMatchObject({ ...unknown, model_requested: 'm' })
  })

  test('whose name is far too long, cut', async () => {
    await using service = await startWith(['m'])
    await service.ask('chat', { model: 'x'.repeat(100_000) })
    const [line] = await service.gateway.logged(1)
    expect(line).toMatchObject({ ...unknown, model_requested: `${'x'.repeat(512)}...` })
  })
})

test('a request that was never understood has no model', async () => {
  await using service = await startWith(['m'])
  await service.ask('chat', { temperature: 9 })
  const [line] = await service.gateway.logged(1)
  expect(line).toMatchObject({ status: 400 })
  expect(line).not.toHaveProperty('model_requested')
})
