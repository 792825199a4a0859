import { expect, test } from 'vitest'

import { answerJson, answerStream } from '../../src/testing/fake-account.ts'
import { startMixed } from '../walks/losses/mixed.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'

const message = 'prompt is too long: 208310 tokens > 200000 maximum'
const error = { type: 'error', error: { type: 'invalid_request_error', message } }

const accounts = [
  ['refuses', answerJson(error, { status: 400 }), false],
  ['refuses a stream', answerJson(error, { status: 400 }), true],
  ['answers with an error', answerJson(error), false],
  ['streams an error', answerStream([`event: error\ndata: ${JSON.stringify(error)}\n\n`]), true],
] as const

test.each(accounts)(
  'a client whose input is too long is told so in its own word by an account that %s',
  async (_, script, stream) => {
    await using mixed = await startMixed({ foreign: { form: form.messages, script } })

    const response = await ask(mixed.gateway, form.responses, { stream })

    expect(response.status).toBe(400)
    const body = (await response.json()) as { error: { message: string } }
    expect(JSON.stringify(body)).toContain('context_length_exceeded')
    expect(mixed.accounts.foreign.requests).toHaveLength(1)
  },
)
