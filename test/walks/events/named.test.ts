import { expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { failingAt, rewriting } from './guardrails.ts'

const broken = new Error('the model of the guardrail is not loaded')

test.each([{ stream: true }, { stream: false }])(
  'the log names the plugin whose mapper fails, and no other (stream: $stream)',
  async ({ stream }) => {
    const plugins = [rewriting('a', 'b'), failingAt('part', broken), rewriting('c', 'd')]
    await using mixed = await startMixed({ only: { form: form.chat } }, { plugins })

    const response = await ask(mixed.gateway, form.chat, { stream })

    expect(response.status).toBe(500)
    const text = await response.text()
    expect(text).toContain('A plugin of the gateway failed on this reply.')
    expect(text).not.toContain('failing-at-part')
    expect(mixed.gateway.log).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'failing-at-part: onEvents failed',
        plugin: 'failing-at-part',
        request_id: response.headers.get('x-request-id'),
        account: 'only',
        error: 'Error: the model of the guardrail is not loaded',
      }),
    ])
  },
)

test('what a mapper throws for the client stays as it is', async () => {
  const refusal = new GatewayError('invalid_value', 'This is not talked about here.')
  const plugins = [rewriting('a', 'b'), failingAt('part', refusal)]
  await using mixed = await startMixed({ only: { form: form.chat } }, { plugins })

  const response = await ask(mixed.gateway, form.chat, { stream: false })

  expect(response.status).toBe(400)
  expect(await response.text()).toContain('This is not talked about here.')
})
