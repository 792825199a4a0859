import { expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { startService } from '../requests/service.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { forms, upToOutput } from '../walks/streams/forms.ts'
import { openStream, stage } from '../walks/streams/scripted.ts'

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
  const error = { type: 'not_found_error', message: 'There is no such thread.' }
  await using service = await startService(
    {},
    answerJson({ type: 'error', error }, { status: 400 }),
  )
  const response = await service.ask('messages')
  expect(await response.json()).toMatchObject({ type: 'error', error: { ...error, code: 400 } })
})

test.each(forms)(
  'a client of a $name stream reads no secret of the account in the error that ends it',
  async (form) => {
    await using scene = await stage(form, (response) => {
      openStream(response, upToOutput(form))
      response.end(form.inBandError.replace('overworked', 'key-of-only is worn out'))
    })

    const { text } = await receive(await ask(scene.gateway, form))

    expect(text).toContain('[secret] is worn out')
    expect(text).not.toContain('key-of-only')
  },
)
