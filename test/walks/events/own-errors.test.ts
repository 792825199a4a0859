import { describe, expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { rewriting } from './guardrails.ts'

const plugins = [rewriting('Hello', 'Hi')]

/** As its own dialect tells it, with a field that only this provider has. */
const refusals = [
  { own: form.responses, error: { message: 'no', type: 'x_error', code: 'x_code', more: 1 } },
  { own: form.chat, error: { message: 'no', type: 'x_error', code: 'x_code', more: 1 } },
  { own: form.messages, error: { message: 'no', type: 'x_error', more: 1 } },
  {
    own: form.generate,
    error: { message: 'no', code: 400, status: 'FAILED_PRECONDITION', more: 1 },
  },
]

describe.each(refusals)('a $own.name client behind a guardrail', ({ own, error }) => {
  const serve = (errors: 'spec' | 'upstream') =>
    startMixed(
      { own: { form: own, script: answerJson({ error }, { status: 400 }) } },
      { plugins, errors },
    )

  test('reads in an error what its own account said', async () => {
    await using mixed = await serve('spec')

    const response = await ask(mixed.gateway, own)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: 'no', code: 400, more: 1 } })
  })

  test('reads its very bytes where the operator wants that', async () => {
    await using mixed = await serve('upstream')

    const response = await ask(mixed.gateway, own)

    expect(response.status).toBe(400)
    expect(await response.text()).toBe(JSON.stringify({ error }))
  })
})
