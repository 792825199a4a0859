import { expect, test } from 'vitest'

import { startService } from '../requests/service.ts'
import { answerJson } from '../../src/testing/index.ts'

test.each(['responses', 'chat'] as const)(
  '%s: details of an upstream are kept',
  async (dialect) => {
    const details = [{ reason: 'quota', limit: 7 }]
    const error = { message: 'No more.', code: 'quota', details }
    await using service = await startService({}, answerJson({ error }, { status: 400 }))
    const response = await service.ask(dialect)
    const body = (await response.json()) as { error: { details: unknown[] } }
    expect(body.error.details).toEqual([expect.objectContaining({ code: 'quota' }), ...details])
  },
)

test('messages: an upstream says more of an error than its status does', async () => {
  const error = { type: 'billing_error', message: 'Your credit balance is too low.' }
  await using service = await startService(
    {},
    answerJson({ type: 'error', error }, { status: 400 }),
  )
  const response = await service.ask('messages')
  expect(await response.json()).toMatchObject({ type: 'error', error: { ...error, code: 400 } })
})
